import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { z } from 'zod';
import { parseJson } from '#lib/parse-json.ts';

const count = z.number().catch(0);

/** Totals of the whole conversation, never of one answer. */
export const TokenUsage = z.object({
  input_tokens: count,
  cached_input_tokens: count,
  cache_write_input_tokens: count,
  output_tokens: count,
  reasoning_output_tokens: count,
});
export type TokenUsage = z.infer<typeof TokenUsage>;

const Entry = z.object({
  payload: z.union([
    z.object({ type: z.literal('token_count'), info: z.object({ total_token_usage: TokenUsage }) }),
    z.object({ type: z.literal('function_call_output'), output: z.string() }),
  ]),
});

/** The settings of each turn. */
const TurnContext = z.object({
  type: z.literal('turn_context'),
  payload: z.object({ model: z.string().min(1) }),
});

type RolloutNews = { readonly total: TokenUsage } | { readonly refused: string } | { readonly model: string };

/** A patch outside the allowed folders appears in no event of the output. */
const refusal = /^patch rejected|rejected by user approval/;

/**
 * The file in which Codex records a conversation. The output reports spending only at the end of all turns; this file
 * does so after each answer, and survives when Codex is killed.
 */
export class Rollout {
  readonly #file: string;
  readonly #decoder = new StringDecoder('utf8');
  #position = 0;
  #half = '';

  private constructor(file: string) {
    this.#file = file;
  }

  /** Null if there is none yet. */
  static find(codexHome: string, thread: string): Rollout | null {
    const folder = join(codexHome, 'sessions');
    try {
      const name = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find((path) =>
        path.endsWith(`-${thread}.jsonl`),
      );
      return name === undefined ? null : new Rollout(join(folder, name));
    } catch {
      return null;
    }
  }

  /** What was added since the last call: totals and refusals. */
  news(): RolloutNews[] {
    const lines = `${this.#half}${this.#readOn()}`.split('\n');
    this.#half = lines.pop() ?? '';
    return lines.flatMap((line): RolloutNews[] => {
      if (!/"(token_count|function_call_output|turn_context)"/.test(line)) return [];
      const turn = TurnContext.safeParse(parseJson(line));
      if (turn.success) return [{ model: turn.data.payload.model }];
      const parsed = Entry.safeParse(parseJson(line));
      if (!parsed.success) return [];
      const { payload } = parsed.data;
      if (payload.type === 'token_count') return [{ total: payload.info.total_token_usage }];
      return refusal.test(payload.output) ? [{ refused: payload.output.split('\n')[0] ?? '' }] : [];
    });
  }

  #readOn(): string {
    try {
      const file = openSync(this.#file, 'r');
      const chunk = Buffer.alloc(256 * 1024);
      let text = '';
      for (let read = -1; read !== 0; this.#position += read) {
        read = readSync(file, chunk, 0, chunk.length, this.#position);
        text += this.#decoder.write(chunk.subarray(0, read));
      }
      closeSync(file);
      return text;
    } catch {
      return '';
    }
  }
}
