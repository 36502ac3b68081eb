import { z } from 'zod';
import { Finding } from './check-report.ts';
import { verdicts } from './verdict.ts';

export const WatchLine = z
  .object({
    schema: z.literal('joinery/watch@1'),
    status: z.enum(verdicts),
    branches: z.int().nonnegative().describe('How many are compared.'),
    changed: z
      .array(z.string())
      .describe('Branches and worktrees that differ from the last line, as in a report.'),
    new: z.array(Finding).describe('In the first line all there are.'),
    gone: z.array(Finding),
    open: z.int().nonnegative().describe('How many findings there are now.'),
    reasons: z.array(z.string()).describe('What could not be read or run.'),
    seconds: z.number().describe('From the change to this line.'),
  })
  .describe('One line of joinery check --watch --json.');
export type WatchLine = z.infer<typeof WatchLine>;
