import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { AgentRequest } from '#agents/driver.ts';
import { parseJson } from '#lib/parse-json.ts';
import { runContained } from '#process/run-contained.ts';
import type { Usage } from '#schema/run.ts';

const exportMs = 30_000;
const exportBytes = 64 * 1024 * 1024;

/** A negative number is not a refund. */
const count = z.number().nonnegative().catch(0);

const Exported = z.object({
  messages: z.array(
    z.object({
      info: z.object({
        role: z.string(),
        modelID: z.string().optional(),
        cost: count.optional(),
        tokens: z
          .object({
            input: count,
            output: count,
            reasoning: count.default(0),
            cache: z.object({ read: count, write: count }).default({ read: 0, write: 0 }),
          })
          .optional(),
      }),
    }),
  ),
});

type Place = Pick<AgentRequest, 'cwd' | 'mark' | 'scratch' | 'resume'> & {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
};

/** Asks opencode for the cost of every answer of a session, after the session has ended. */
export async function exportedUsage(place: Place, session: string): Promise<Usage[]> {
  const logFile = join(place.scratch, 'export.json');
  await mkdir(place.scratch, { recursive: true });
  const { outcome, exitCode } = await runContained({
    argv: [place.program, 'export', session],
    cwd: place.cwd,
    env: place.env,
    mark: place.mark,
    // Asks the agent's own records, when no work runs any more.
    box: null,
    timeoutMs: exportMs,
    logFile,
    maxLogBytes: exportBytes,
  });
  const text = outcome === 'exited' && exitCode === 0 ? await readFile(logFile, 'utf8') : '';
  await rm(logFile, { force: true });
  const answers = usagesIn(text);
  return place.resume ? withoutEarlier(answers, place.resume.spent) : answers;
}

/** Answers in order; empty if the text is unreadable. */
export function usagesIn(text: string): Usage[] {
  const start = text.indexOf('{');
  const { data } = Exported.safeParse(
    parseJson(start < 0 ? '' : text.slice(start, text.lastIndexOf('}') + 1)),
  );
  return (data?.messages ?? []).flatMap(({ info: { tokens, modelID, cost = 0 } }) => {
    if (!tokens) return [];
    const { read, write } = tokens.cache;
    return [
      {
        in: tokens.input + read + write,
        out: tokens.output + tokens.reasoning,
        usd: cost,
        ...(read > 0 ? { cached: read } : {}),
        ...(write > 0 ? { written: write } : {}),
        ...(tokens.reasoning > 0 ? { reasoning: tokens.reasoning } : {}),
        ...(modelID === undefined ? {} : { model: modelID }),
      },
    ];
  });
}

/** The export of a resumed session contains all answers: skips those that were counted before. */
export function withoutEarlier(answers: readonly Usage[], spent: Usage): Usage[] {
  let known = spent.in + spent.out;
  return answers.filter(({ in: input, out }) => {
    if (known <= 0) return true;
    known -= input + out;
    return false;
  });
}
