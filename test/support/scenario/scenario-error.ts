/** A scenario that cannot be read, and the line that says why. */
export class ScenarioError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'ScenarioError';
    this.line = line;
  }
}
