import { z } from 'zod';
import { StepStatus } from './run.ts';

/** What the tasks of runs intend to change: for agents that want to avoid each other's files. */
export const ClaimsReport = z.object({
  schema: z.literal('joinery/claims@1'),
  tasks: z.array(
    z.object({
      run: z.string(),
      task: z.string(),
      title: z.string(),
      status: StepStatus,
      branch: z.string(),
      commit: z.string().nullable().describe('Of accepted work.'),
      files: z.array(z.string()).describe('Declared or granted; a folder ends with "/".'),
      symbols: z.array(z.string()).describe('<path>#<name>'),
    }),
  ),
});
export type ClaimsReport = z.infer<typeof ClaimsReport>;
