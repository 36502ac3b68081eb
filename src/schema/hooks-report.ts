import { z } from 'zod';
import { SettingsChangeReport } from './settings-change.ts';

export const HooksReport = z.object({
  schema: z.literal('joinery/hooks-install@1'),
  ...SettingsChangeReport.shape,
});
export type HooksReport = z.infer<typeof HooksReport>;

/** One line of the spool: what an agent that Joinery did not start has reported. No prompt, no command, no output. */
export const Visit = z.object({
  at: z.iso.datetime(),
  agent: z.string(),
  session: z.string(),
  moment: z.string().describe('SessionStart, PostToolUse, SessionEnd, …'),
  tool: z.string().nullable(),
  file: z.string().nullable().describe('Below the repository.'),
  folder: z.string(),
});
export type Visit = z.infer<typeof Visit>;
