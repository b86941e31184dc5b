import type { Clock } from '../clock';
import type { AgentConfig } from '../config/agents';
import type { Config } from '../config/loadConfig';
import type { Sessions } from '../disk/Sessions';
import type { Recorder } from '../record';
import type { Script } from '../scenario/Script';
import type { Outbox } from '../wire/Outbox';
import type { Profile } from '../wire/profile';
import type { ModelPools } from '../model/ModelPools';
import type { Status } from './Status';
import type { Telling } from './Telling';

/** Where a project is and how it is set up. */
export interface Place {
  /** The project's folder: tools run there. */
  project: string;
  /** Chord's configuration folder: rules with scope `user_global` go there. */
  configHome: string;
  config: Config;
  agents: Map<string, AgentConfig>;
  /** The worktree it is, if it is one. */
  worktree?: { name: string; branch: string; path: string; repo_root: string };
}

/** What all parts of one running Chord stand on. */
export interface Base {
  profile: Profile;
  clock: Clock;
  place: Place;
  sessions: Sessions;
  script: Script;
  record: Recorder;
  out: Outbox;
  status: Status;
  tell: Telling;
  pools: ModelPools;
  /** 32 hexadecimal digits that nobody has used. */
  newId(): string;
}
