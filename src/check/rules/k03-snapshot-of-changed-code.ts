import { posix } from 'node:path';
import { isSnapshot } from '#tests/code/test-path.ts';
import type { Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';
import { importsOf, isModule } from './wiring/module-words.ts';

export const snapshotOfChangedCode = {
  id: 'K03',
  name: 'snapshot-of-changed-code',
  category: 'connection',
  severity: 'minor',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.7,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch adds or updates a snapshot, and another branch changes the function whose result it holds. The snapshot was taken with the old code.',
  example: { a: ['~ render() now sorts the keys'], b: ['+ __snapshots__/report.test.ts.snap'] },
  move: 'Merge both, run the test again and read the difference before updating the snapshot.',
  proof: ['possible'],
  owner: 'consumer',
  detect: { survey: staleSnapshots },
} satisfies Rule;

async function staleSnapshots(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const side of survey.sides)
    for (const { path, after } of side.changes) {
      if (after === null || !isSnapshot(path)) continue;
      const test = testOf(side, path);
      const text = test && (await survey.read(side.tree, test));
      if (!test || !text) continue;
      for (const other of survey.sides) {
        if (
          other === side ||
          !survey.isApart(other, side) ||
          other.changes.some((change) => change.path === path)
        )
          continue;
        const changed = await changedBy(other, importsOf(text));
        if (!changed) continue;
        found.push({
          key: `${path} ${changed.file}#${changed.name}`,
          provider: { side: other, ...changed },
          sites: [{ side, file: path, line: 1, name: '' }],
          subject: changed.name,
          confidence: 'possible',
          message: `${other.ref} changes ${changed.name}, whose result ${side.ref} keeps in ${path}`,
          suggestion: `run ${test} with both, and read what changes in the snapshot`,
        });
      }
    }
  return found;
}

/** `src/report.test.ts` for `src/__snapshots__/report.test.ts.snap`. */
function testOf({ tree }: SurveyedBranch, path: string): string | undefined {
  const folder = posix.dirname(posix.dirname(path));
  const stem = posix.basename(path).replace(/\.(snap|ambr)$/, '');
  return [posix.join(folder, stem), posix.join(folder, `${stem}.py`)].find(
    (test) => tree.blob(test) !== undefined,
  );
}

async function changedBy(
  side: SurveyedBranch,
  imports: readonly { readonly from: string; readonly names: readonly string[] }[],
): Promise<{ file: string; line: number; name: string } | null> {
  for (const [file, { code }] of await side.news())
    for (const { from, names } of imports) {
      const hit = isModule(from, file) ? code?.changed.find(({ name }) => names.includes(name)) : undefined;
      if (hit) return { file, ...hit };
    }
  return null;
}
