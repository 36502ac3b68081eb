import type { z } from 'zod';
import type { WorkflowRoom } from '#app/workflow/workflow-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';

/** What a tool works with during one call. */
export interface ToolCall {
  /** Where: the folder the server was started in, or the one the caller named. */
  at(workspacePath: string | undefined): Surroundings;
  /** The workflows of that place; stays open as long as the server runs. */
  workflows(workspacePath: string | undefined): Promise<WorkflowRoom>;
  readonly signal: AbortSignal;
}

/** One tool: adding one touches its file and the table. */
export interface McpTool<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly output: Output;
  /** It changes nothing that lasts. */
  readonly isReadOnly: boolean;
  /** It can take something away. */
  readonly isDestructive?: boolean;
  /** Calling it twice is the same as calling it once. */
  readonly isIdempotent?: boolean;
  run(input: z.output<Input>, call: ToolCall): Promise<z.input<Output>>;
  /** For clients that show text; default: the result as JSON. */
  text?(result: z.input<Output>): string;
}

/** Keeps the types of input and output together while the table forgets them. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: McpTool<Input, Output>,
): McpTool {
  return definition as unknown as McpTool;
}
