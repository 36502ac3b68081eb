import { z } from 'zod';
import { Finding } from './check-report.ts';

/** The state of a finding after its union was built again. */
export const ReplayReport = z.object({
  schema: z.literal('joinery/replay@1'),
  proof: z
    .enum(['confirmed', 'not_reproduced', 'inconclusive'])
    .describe('confirmed: in the union and on no member alone, as reported.'),
  reason: z.string().describe('Why it was not confirmed; empty when it was.'),
  unionTree: z.object({
    reported: z.string().nullable(),
    rebuilt: z.string().nullable().describe('Null when the text does not merge or the problem is gone.'),
  }),
  finding: Finding.describe('As found now; as reported when it was not found.'),
});
export type ReplayReport = z.infer<typeof ReplayReport>;
