/** Environment variables of the person who runs the command. */
export type Environment = Record<string, string | undefined>;

export interface SelectionOptions {
  /** `--agent`: a name, `all`, or nothing for every detected agent. */
  agent?: string | undefined;
  /** `--config`: the file to edit, for one explicit agent. */
  config?: string | undefined;
  dryRun: boolean;
  env: Environment;
  cwd: string;
  dataDir: string;
}

export interface InstallOptions extends SelectionOptions {
  /** `--command`: a complete hook command, for one explicit agent. */
  command?: string | undefined;
  /** `--binary`: the executable to register. */
  binary?: string | undefined;
  /** `--timeout`: whole seconds, or a Go duration of whole seconds; 0 leaves the field out. */
  timeout: string;
  /** The running executable; undefined when it is not known. */
  execPath?: string | undefined;
  /** The daemon's socket for `dataDir`; registered with the command when `dataDir` is not the default one. */
  socketPath: string;
}

export interface Failure {
  displayName: string;
  path?: string;
  cause: string;
}

export interface Outcome {
  /** One line for each agent that succeeded; scripts read them. */
  lines: string[];
  /** What the person should know besides: warnings and next steps. */
  notices: string[];
  failures: Failure[];
}
