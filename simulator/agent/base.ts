import type { Clock } from '../clock';
import type { AgentConfig } from '../config/agents';
import type { Config } from '../config/config';
import type { Sessions } from '../disk/sessions';
import type { Recorder } from '../record';
import type { Script } from '../scenario/script';
import type { Outbox } from '../wire/outbox';
import type { Profile } from '../wire/profile';
import type { ModelPools } from '../model/pools';
import type { Status } from './status';
import type { Telling } from './telling';

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
