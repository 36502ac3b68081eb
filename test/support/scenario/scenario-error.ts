/** A scenario that cannot be parsed, and the line with the reason. */
export class ScenarioError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.name = 'ScenarioError';
    this.line = line;
  }
}
