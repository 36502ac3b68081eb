import type { CheckContext, FoundIn } from '#check/context.ts';
import { assembleFindings } from '#check/findings/findings.ts';
import { showFindings } from '#check/findings/frames.ts';
import { listRefs } from '#check/findings/list-refs.ts';
import type { ReadMember } from '#check/members/member.ts';
import { diagnoseDiagnostic } from '#check/rules/detect.ts';
import type { DiagnosedProblem, ProviderPlace } from '#check/rules/diagnosis.ts';
import { sidesOf } from '#check/typecheck/diagnostics/blame.ts';
import type { Meeting } from '#check/typecheck/diagnostics/meeting.ts';
import { importClosure } from '#check/typecheck/diagnostics/suspects.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { symbolId } from '#schema/identity.ts';
import { failureExcerpt, failureLine } from './failure-excerpt.ts';
import { printedName } from './judge-case.ts';
import type { FailingTest } from './run-intent-tests.ts';

/** Findings of tests that fail on a union and pass on their own side: one for each cause and guilty set. */
export async function witnessFindings(
  context: CheckContext,
  meeting: Meeting,
  failing: readonly FailingTest[],
): Promise<FoundIn[]> {
  const found: FoundIn[] = [];
  const byUnion = Map.groupBy(failing, ({ guilty, withBase, tree }) =>
    JSON.stringify([guilty, withBase, tree]),
  );
  for (const group of byUnion.values()) {
    const [first] = group;
    if (!first) continue;
    const sides = await sidesOf(context, meeting, first);
    const union = await context.trees.get(first.tree);
    const problems = [];
    for (const each of group) problems.push(await describe(context, meeting, each, sides));
    const shared = { tree: first.tree, base: context.base.ref, radius: context.radius };
    const assembled = await assembleFindings(problems, shared, sides);
    found.push(...(await showFindings(assembled, union.git, context.workspace.objects)));
  }
  return found;
}

async function describe(
  context: CheckContext,
  { live }: Meeting,
  { file, test, tree, run }: FailingTest,
  sides: readonly ReadMember[],
): Promise<DiagnosedProblem> {
  const ownerRef = live[file.owner]?.ref;
  const consumer = sides.find(({ ref }) => ref === ownerRef) ?? sides[0];
  if (!consumer) throw new Error('a failing test needs a guilty branch');
  const others = sides.filter((side) => side !== consumer);
  const closure = await importClosure(await context.trees.get(tree), file.path);
  const cause = causeOf(others, closure);
  const provider = cause?.side ?? others[0] ?? consumer;
  const name = printedName(run, { path: file.path, id: test.id });
  const title = name.split(/ > | › |::/).at(-1) ?? name;
  const symbol = symbolId(file.path, '');
  const said = failureLine(run.log, title);
  const together = listRefs(sides);
  return diagnoseDiagnostic('tests', {
    consumer,
    provider,
    problem: {
      kind: 'diagnostic',
      key: JSON.stringify(['test', test.id]),
      consumer: symbol,
      provider: cause?.place.symbol ?? symbol,
      file: file.path,
      sites: [{ file: file.path, symbol, line: test.line, column: 1, endLine: test.endLine }],
      definedAt: [],
      proven: true,
      absence: null,
      tier: 'R3',
      statement: `"${name}" passes on ${consumer.ref} and fails when ${together} are merged\n${failureExcerpt(run.log, title)}`,
      mismatch: null,
      tried: [],
    },
    diagnosis: {
      providerKey: cause?.place.symbol ?? `test:${file.path}#${test.id}`,
      confidence: 'proven',
      judge: `test:${test.id}`,
      message: `test "${name}" of ${consumer.ref} passes there and fails when ${together} are merged${said === null ? '' : `: ${said}`}`,
      suggestion: cause
        ? `decide between what ${file.path} expects and the change of ${nameOf(cause.place.symbol)} on ${provider.ref}`
        : `merge ${provider.ref} into ${consumer.ref}, run ${file.path}, and decide which behaviour is meant`,
      provider: cause?.place ?? null,
    },
  });
}

/** The only symbol, or else the only file, that others changed among the imports of the test. */
function causeOf(
  others: readonly ReadMember[],
  closure: ReadonlyMap<string, unknown>,
): { readonly side: ReadMember; readonly place: ProviderPlace } | null {
  const places = others.flatMap((side) =>
    [...side.delta.values()].flat().flatMap((change) => {
      if (change.kind === 'doc') return [];
      const { path, definition } = 'after' in change ? change.after : change.before;
      if (!closure.has(path)) return [];
      const { line, column, endLine } = definition;
      const symbol = symbolId(path, symbolPath(definition));
      return [
        { side, place: { file: path, line, column, endLine, symbol, removed: change.kind === 'removed' } },
      ];
    }),
  );
  const [only] = places;
  return only && new Set(places.map(({ place }) => place.symbol)).size === 1 ? only : null;
}

function nameOf(symbol: string): string {
  return symbol.slice(symbol.indexOf('#') + 1) || symbol.slice(0, -1);
}
