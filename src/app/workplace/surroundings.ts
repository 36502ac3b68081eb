/** Where a use case works and where it prints. The command line, a server and MCP each supply their own. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: {
    warn(message: string): void;
    progress(text: string): void;
  };
  /** Registers a cleanup for when the process is interrupted; returns a function that unregisters it. */
  readonly onInterrupt: (cleanup: () => Promise<void>) => () => void;
}
