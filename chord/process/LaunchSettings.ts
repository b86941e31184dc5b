/** How and where Chord is started, as far as one process needs to know it. A credential has more. */
export interface LaunchSettings {
  /** A name that is looked up on the PATH, or the path of the program. */
  command: string;
  /** Put before `headless`. */
  commandArguments: string[];
  /** The command starts Chord on another machine or in a container: directories are checked by their text alone. */
  runsElsewhere: boolean;
  /**
   * With `runsElsewhere`: the command hands its arguments on one by one, as `docker exec` does. `ssh` joins them to one
   * line, which the shell of the far side splits again and reads.
   */
  commandQuotes: boolean;
  /** The default project directory. */
  projectDirectory: string;
  /** Empty: the project directory and below. */
  allowedDirectories: string[];
  /** Added to the child's allow-listed environment; the secret ones are masked, see `secretValues`. */
  environment: { name: string; value: string }[];
  /** How long Chord may take until it says `ready`. */
  startTimeoutMs: number;
}

/** Which session Chord opens. Without both a new one; both together are refused by Chord. */
export interface StartArguments {
  /** The latest session of the project that no other process holds. */
  continue?: boolean;
  /** The id of a session that has messages (measured: one without cannot be resumed). */
  resume?: string;
  /** The name of a git worktree to enter or make. */
  worktree?: string;
}

/** The process that starts Chord: this one, or what a test puts in its place. */
export interface HostProcess {
  pid: number;
  platform: NodeJS.Platform;
  environment: NodeJS.ProcessEnv;
}

/** This process. */
export const thisProcess = (): HostProcess => ({
  pid: process.pid,
  platform: process.platform,
  environment: process.env,
});
