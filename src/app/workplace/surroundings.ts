/** Where a use case works and where it speaks. The command line, a server and MCP each supply their own. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly terminal: {
    warn(message: string): void;
    progress(text: string): void;
  };
  /** Registers what to clean up when the process is interrupted; returns how to take it off again. */
  readonly onInterrupt: (cleanup: () => Promise<void>) => () => void;
}
