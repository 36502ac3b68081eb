import type { CheckContext } from '#check/context.ts';
import type { Comparison } from '#check/examine/compare-all.ts';
import type { SeamRisk } from '#schema/check-report.ts';
import { seamRisk } from './seam-risk.ts';
import { readSymbolGraph } from './symbol-graph.ts';

/** Seam risk of the branches that a check compared, on their union; on base for what did not merge. */
export async function readRisk(
  { trees, base }: Pick<CheckContext, 'trees' | 'base'>,
  { meeting, union }: Pick<Comparison, 'meeting' | 'union'>,
): Promise<SeamRisk> {
  const tree = await trees.get(union.tree ?? base.tree);
  const changed = new Set(meeting.sides.flatMap(({ touched }) => [...touched.keys()]));
  const graph = await readSymbolGraph(tree, changed);
  const branches = meeting.sides.map(({ ref, touched }) => ({
    ref,
    symbols: new Set(
      [...touched].flatMap(([path, names]) =>
        [...names]
          .map((name) => name.split('.')[0] ?? name)
          .filter((name) => /^[^*]/.test(name))
          .map((name) => `${path}#${name}`),
      ),
    ),
  }));
  const notes = union.excluded.map((ref) => `${ref} is not in the union: its uses are not counted`);
  const risk = seamRisk(branches, graph);
  return { ...risk, notes: [...risk.notes, ...notes] };
}
