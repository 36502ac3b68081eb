import type { CheckContext, FoundIn } from '#check/context.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import type { FindingBeforePolicy } from '#schema/check-report.ts';
import { breaks } from '#schema/verdict.ts';
import type { TestAnswer } from './run-intent-tests.ts';

/** A red test judges that a finding is true; green ones that ran all of its lines refute it. */
export type TestVerdict = Pick<FindingBeforePolicy, 'judge' | 'confidence'> | { readonly refuted: string };

/** `src/label.js:4`: the lines that would break if these findings are true, as their unions have them. */
export function linesInQuestion(known: readonly FoundIn[]): string[] {
  return [...new Set(known.filter(isOpen).flatMap(linesOf))].sort();
}

/**
 * A red test confirms a finding about its guilty branches if it ran a line that would break. Green tests refute one only if they ran all
 * of its lines on a union that contains its branches. Lines count only in the version of the file in which they were found.
 */
export async function judgeByTests(
  context: CheckContext,
  meeting: Meeting,
  known: readonly FoundIn[],
  { failing, green }: Pick<TestAnswer, 'failing' | 'green'>,
): Promise<Map<FoundIn, TestVerdict>> {
  const judged = new Map<FoundIn, TestVerdict>();
  const refsOf = (members: readonly number[]) => members.map((index) => meeting.live[index]?.ref ?? '');
  for (const found of known.filter(isOpen)) {
    const { branches } = found.assembled.finding;
    const lines = linesOf(found);
    const ranIn = async (tree: string, executed: readonly string[]) => {
      const same = await linesIn(context, meeting, found, tree);
      return lines.filter((line) => executed.includes(line) && same.has(line));
    };
    for (const { guilty, withBase, tree, test, run } of failing) {
      const blamed = [...refsOf(guilty), ...(withBase ? [context.base.ref] : [])];
      if (!blamed.every((ref) => branches.includes(ref))) continue;
      if ((await ranIn(tree, run.executed ?? [])).length === 0) continue;
      judged.set(found, { judge: `test:${test.id}`, confidence: 'proven' });
      break;
    }
    if (judged.has(found) || lines.length === 0) continue;
    for (const { tree, members, executed } of green) {
      const merged = [...refsOf(members), context.base.ref];
      if (!branches.every((ref) => merged.includes(ref))) continue;
      if ((await ranIn(tree, executed)).length < lines.length) continue;
      judged.set(found, { refuted: `green tests ran ${lines.join(', ')}` });
      break;
    }
  }
  return judged;
}

/** It would break, and nobody has judged it. */
function isOpen({ assembled: { finding } }: FoundIn): boolean {
  return breaks(finding) && finding.judge === null;
}

function consumersOf({ assembled: { places } }: FoundIn): FoundIn['assembled']['places'][number][] {
  return places.filter(({ site }) => site.role === 'consumer');
}

function lineOf({ file, line }: { readonly file: string; readonly line: number }): string {
  return `${file}:${line}`;
}

function linesOf(found: FoundIn): string[] {
  return [...new Set(consumersOf(found).map(({ site }) => lineOf(site)))];
}

/** The lines of a finding whose file is the same in this tree as where the finding was made. */
async function linesIn(
  { trees }: CheckContext,
  { live }: Meeting,
  found: FoundIn,
  tree: string,
): Promise<ReadonlySet<string>> {
  const there = await trees.get(tree);
  const lines = new Set<string>();
  for (const { site, inUnion } of consumersOf(found)) {
    const origin = inUnion ? found.unionTree : (live.find(({ ref }) => ref === site.branch)?.tree ?? null);
    if (origin === null) continue;
    const blob = (await trees.get(origin)).git.blob(site.file);
    if (blob !== undefined && blob === there.git.blob(site.file)) lines.add(lineOf(site));
  }
  return lines;
}
