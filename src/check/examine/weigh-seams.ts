import type { CheckContext, FoundIn } from '#check/context.ts';
import type { Member } from '#check/members/member.ts';
import { seamRisk, weighGraph } from '#check/risk/seam-risk.ts';
import { readSymbolGraph } from '#check/risk/symbol-graph.ts';
import type { ChangingBranch } from '#check/risk/uses-between.ts';
import { detectInSeams } from '#check/rules/detect.ts';
import type { Located } from '#code/delta/symbol-delta.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { SeamRisk } from '#schema/check-report.ts';
import { symbolId } from '#schema/identity.ts';
import { type Comparison, isBuiltOn } from './compare-all.ts';
import { showSighting, sideOf } from './survey-branches.ts';

export interface Weighed {
  readonly risk: SeamRisk;
  readonly findings: readonly FoundIn[];
}

/** Seam risk of the compared branches on their union, or on base for branches that did not merge. */
export async function weighSeams(
  context: CheckContext,
  { meeting, union, findings }: Pick<Comparison, 'meeting' | 'union' | 'findings'>,
): Promise<Weighed> {
  const tree = await context.trees.get(union.tree ?? context.base.tree);
  const changed = new Set(meeting.sides.flatMap(({ touched }) => [...touched.keys()]));
  const graph = await readSymbolGraph(tree, changed);
  const weighed = weighGraph(await Promise.all(meeting.sides.map(changingBranch)), graph);
  const risk = seamRisk(weighed);
  const notes = union.excluded.map((ref) => `${ref} is not in the union: its uses are not counted`);
  const sides = new Map(
    meeting.sides.map((member) => [
      member.ref,
      sideOf(
        member,
        async () => new Map(),
        async () => member,
      ),
    ]),
  );
  const builtOn = isBuiltOn(context);
  const sightings = detectInSeams({
    ...weighed,
    side: (ref) => sides.get(ref),
    isApart: (a, b) => !builtOn(a.ref, b.ref) && !builtOn(b.ref, a.ref),
    isTold: (a, b) =>
      findings.some(
        ({ assembled: { finding } }) => finding.branches.includes(a) && finding.branches.includes(b),
      ),
    lineOf: (symbol) => lineOf(tree, symbol),
  });
  const found: FoundIn[] = [];
  for (const { sighting, diagnose } of sightings)
    found.push(...(await showSighting(context, union.tree, sighting, diagnose)));
  return { risk: { ...risk, notes: [...risk.notes, ...notes] }, findings: found };
}

/** The top-level symbols that a member adds, changes (including their bodies) or removes. */
async function changingBranch(member: Member): Promise<ChangingBranch> {
  const { ref, touched } = member;
  const read = await member.read();
  await read.load();
  const meant = [...touched].flatMap(([path, names]) => [...names].map((name) => symbolId(path, name)));
  const written = [...read.delta].flatMap(([id, changes]) => [
    id,
    ...changes.flatMap((change) => ('after' in change ? [symbolIdOf(change.after)] : [])),
  ]);
  const tops = [...meant, ...written].flatMap((id) => /^(.*)#([^.*~]+)/s.exec(id)?.[0] ?? []);
  return { ref, symbols: new Set(tops) };
}

function symbolIdOf({ path, definition }: Located): string {
  return symbolId(path, definition.container ?? definition.name);
}

function lineOf(tree: CodeTree, symbol: string): number {
  const at = symbol.lastIndexOf('#');
  const [path, name] = [symbol.slice(0, at), symbol.slice(at + 1)];
  const own = tree.facts(path)?.definitions.find((each) => each.container === null && each.name === name);
  return own?.line ?? 1;
}
