import type { z } from 'zod';
import type { WorkflowRoom } from '#app/workflow/workflow-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';

/** What a tool works with during one call. */
export interface ToolCall {
  /** The folder the server was started in, or the one the caller named. */
  at(workspacePath: string | undefined): Surroundings;
  /** The workflows of that folder; stays open at least until the call ends. */
  workflows(workspacePath: string | undefined): Promise<WorkflowRoom>;
  readonly signal: AbortSignal;
}

/** One tool. Adding one touches its file and the table. */
export interface McpTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** Changes nothing permanently. */
  readonly isReadOnly: boolean;
  /** May delete something. */
  readonly isDestructive?: boolean;
  /** Starts programs that the repository names: clients must not take it for harmless. */
  readonly runsCommands?: boolean;
  /** Calling it twice has the same effect as calling it once. */
  readonly isIdempotent?: boolean;
  run(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>>;
  /** For clients that show text; default: the result as JSON. */
  text?(result: z.input<Output>): string;
}

/** Checks the types of input and output together before the table erases them. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: McpTool<Input, Output>,
): McpTool {
  return definition as unknown as McpTool;
}
