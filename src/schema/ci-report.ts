import { z } from 'zod';
import { CheckReport } from './check-report.ts';
import { conclusions, verdicts } from './verdict.ts';

const CheckedPull = z.object({
  ref: z.string().describe('Its name in the check: pull/12.'),
  number: z.int().positive(),
  title: z.string(),
  author: z.string(),
  isFork: z.boolean(),
  state: z
    .enum(['checked', 'gone', 'closed', 'merged'])
    .describe('gone: the repository has no ref for it. closed, merged: during the check.'),
});
export type CheckedPull = z.infer<typeof CheckedPull>;

export const CiReport = z.object({
  schema: z.literal('joinery/ci@1'),
  status: z.enum(verdicts).describe('Of the pull request the job is about; without one, of all.'),
  conclusion: z.enum(conclusions).describe('What GitHub calls it: of a check run.'),
  mode: z.enum(['audit', 'enforce']).describe('audit: the exit code is always 0.'),
  forge: z.enum(['github', 'gitlab']),
  base: z.string(),
  subject: z.string().nullable().describe('The pull request the job is about.'),
  pulls: z.array(CheckedPull),
  comment: z
    .enum(['created', 'updated', 'unchanged', 'none', 'refused'])
    .describe('none: there was nothing to say, or nowhere. refused: see notes.'),
  sarif: z.enum(['uploaded', 'none', 'refused']),
  notes: z.array(z.string()).describe('What was left out or could not be done.'),
  check: CheckReport.describe('As far as it concerns the pull request the job is about.'),
});
export type CiReport = z.infer<typeof CiReport>;
