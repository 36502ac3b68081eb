import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { listRefs } from '#check/findings/list-refs.ts';
import type { ReadMember } from '#check/members/member.ts';
import { diagnoseDiagnostic } from '#check/rules/detect.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { sidesOf } from '#check/typecheck/diagnostics/blame.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { symbolId } from '#schema/identity.ts';
import { failureExcerpt } from './failure-excerpt.ts';
import type { FailingBuild } from './run-builds.ts';

/** Findings of builds that fail on a union and succeed on every member. */
export async function buildFindings(
  context: CheckContext,
  meeting: Meeting,
  failing: readonly FailingBuild[],
): Promise<FoundIn[]> {
  const found: FoundIn[] = [];
  for (const each of failing) {
    const sides = await sidesOf(context, meeting, each);
    const { git } = await context.trees.get(each.tree);
    const shared = { tree: each.tree, base: context.base.ref, radius: context.radius };
    const assembled = await assembleFindings([describe(each, sides, git)], shared, sides);
    found.push(...(await showFindings(assembled, git, context.workspace.objects)));
  }
  return found;
}

interface NamedPlace {
  readonly file: string;
  readonly line: number;
}

/** The first location in the union that the output names: `src/cart.rs:12:5: error…`, `src/cart.rs(12,5)`. */
function placeIn(log: string, union: GitTree): NamedPlace | null {
  for (const [, file = '', line] of log.matchAll(/([\w@+.-][\w@+./-]{0,300}\.\w{1,20})[:(](\d{1,7})\b/g)) {
    const path = file.replace(/^\.\//, '');
    if (union.blob(path) !== undefined) return { file: path, line: Math.max(1, Number(line)) };
  }
  return null;
}

function describe(
  { line: command, run }: FailingBuild,
  sides: readonly ReadMember[],
  union: GitTree,
): DiagnosedProblem {
  const place = placeIn(run.log, union);
  const consumer =
    sides.find((side) => !side.isBase && place && side.changed.has(place.file)) ??
    sides.find((side) => !side.isBase);
  if (!consumer) throw new Error('a failing build needs a guilty branch');
  const provider = sides.find((side) => side !== consumer) ?? consumer;
  const [changed = ''] = consumer.changed.keys();
  const { file, line } = place ?? { file: changed, line: 1 };
  const symbol = symbolId(file, '');
  const together = listRefs(sides);
  return diagnoseDiagnostic('build', {
    consumer,
    provider,
    problem: {
      kind: 'diagnostic',
      key: JSON.stringify(['build', command]),
      consumer: symbol,
      provider: symbol,
      file,
      sites: [{ file, symbol, line, column: 1, endLine: line }],
      definedAt: [],
      proven: true,
      absence: null,
      tier: 'R3',
      statement: `${command} fails when ${together} are merged\n${failureExcerpt(run.log, file)}`,
      mismatch: null,
      tried: [],
    },
    diagnosis: {
      providerKey: `build:${command}`,
      confidence: 'proven',
      judge: `build:${command}`,
      message: `${command} succeeds on each branch and fails when ${together} are merged`,
      suggestion: `merge ${provider.ref} into ${consumer.ref}, run ${command}, and repair what it names`,
      provider: null,
    },
  });
}
