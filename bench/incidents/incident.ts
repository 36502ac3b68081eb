import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const languages = ['typescript', 'python', 'go', 'java', 'rust', 'csharp', 'php', 'ruby', 'sql'] as const;

/** What one change did that the other one had not heard of. */
const categories = [
  'signature',
  'required-field',
  'removed',
  'renamed',
  'moved',
  'type',
  'duplicate',
  'migrations',
  'match',
  'expectation',
  'manifest',
] as const;

const Commit = z.string().regex(/^[0-9a-f]{40}$/);
const Repository = z
  .string()
  .regex(/^[\w-]+\/[\w.-]+$/)
  .describe('owner/name on GitHub.');
const Side = z.enum(['earlier', 'later']);
export type Side = z.infer<typeof Side>;

const Half = z.strictObject({
  side: Side.describe('Which of the two changes did this.'),
  path: z.string().min(1),
  is: z.enum(['added', 'removed']),
  text: z.string().min(3).max(80).describe('Enough of a line to recognise it by; never more code than that.'),
});

/** Two changes, each fine alone, that git merges and whose union upstream had to repair. */
export const Incident = z.strictObject({
  repository: Repository,
  language: z.enum(languages),
  category: z.enum(categories),
  date: z.iso.date().describe('Of the repair.'),
  earlier: Commit.describe('The change that landed first; base is its first parent.'),
  later: Commit.describe('The change that landed second; it is picked onto base.'),
  repair: Commit.describe('The commit that repairs the union.'),
  links: z.array(z.url()).min(1).describe('The repair, and the threads of the two changes.'),
  broke: z.string().min(20).max(200).describe('What broke, in one sentence.'),
  name: z.string().min(2).describe('What the two changes meet at: a symbol, field, parameter, revision.'),
  pattern: z
    .array(Half)
    .min(2)
    .refine((halves) => new Set(halves.map(({ side }) => side)).size === 2, 'needs a half of each side')
    .describe('What stands on the union and on neither side whole.'),
  twin: Side.describe('The side that takes the repair in the twin.'),
  oracle: z
    .enum(['upstream'])
    .describe('Whose word it is that the union is broken. upstream: the message of the repair.'),
});
export type Incident = z.infer<typeof Incident>;

/** Changes merged one after the other within two days and never repaired. */
export const CleanPairs = z.strictObject({
  repository: Repository,
  language: z.enum(languages),
  pairs: z
    .array(z.tuple([Commit, Commit]))
    .min(1)
    .describe('The earlier and the later commit.'),
});
export type CleanPairs = z.infer<typeof CleanPairs>;

/** learn: to improve the product with. held: asked once per release, its misses never looked into. */
export type HalfName = 'learn' | 'held';

/** By repository, so that nothing learned from one half is known of the other; by hash, so that nobody chooses. */
export function halfOf(repository: string): HalfName {
  const first = createHash('sha256').update(repository.toLowerCase()).digest()[0] ?? 0;
  return first % 2 === 0 ? 'learn' : 'held';
}

export function readIncidents(file: URL = new URL('./incidents.json', import.meta.url)): Incident[] {
  const rows = z.array(Incident).parse(JSON.parse(readFileSync(file, 'utf8')));
  const seen = new Set<string>();
  for (const { repository, earlier, later } of rows) {
    const key = `${repository} ${earlier} ${later}`;
    if (seen.has(key)) throw new Error(`the pair ${key} is there twice`);
    seen.add(key);
  }
  return rows;
}

export function readCleanPairs(file: URL = new URL('./clean.json', import.meta.url)): CleanPairs[] {
  return z.array(CleanPairs).parse(JSON.parse(readFileSync(file, 'utf8')));
}
