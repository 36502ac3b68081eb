import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion, type SeamProblem } from '#check/members/union-problems.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { diagnoseUnfounded } from './diagnose-classes.ts';
import { significant } from './diagnosis-parts.ts';

/** S12: a new method takes the place of one that the other branch takes away: nothing calls it any more. */
export function lostOverrides(a: ReadMember, b: ReadMember, union: CodeTree): DiagnosedProblem[] {
  return [...lostBetween(a, b, union), ...lostBetween(b, a, union)].map((seam) => ({
    ...seam,
    diagnosis: diagnoseUnfounded(seam),
  }));
}

function* lostBetween(consumer: ReadMember, provider: ReadMember, union: CodeTree): Generator<SeamProblem> {
  for (const path of consumer.suspects) {
    const file = pathInUnion(path, union, consumer, provider);
    const still = new Set(union.linked(file)?.overrides.map(({ member }) => symbolPath(member)));
    const found = new Set(
      union
        .linked(file)
        ?.problems.flatMap(({ kind, consumer: id }) => (kind === 'override-missing' ? [id] : [])),
    );
    for (const { member, base, path: basePath } of consumer.tree.overrides(path)) {
      const own = symbolPath(member);
      // One that says `override` is a problem that linking finds where all bases are known.
      if (found.has(symbolId(file, own)) || still.has(own) || !isAdded(consumer, path, own)) continue;
      const change = significant(provider.delta.get(symbolId(basePath, symbolPath(base))));
      // A class that is gone as a whole is one cause, which its import shows.
      const owner = significant(provider.delta.get(symbolId(basePath, base.container ?? '')));
      if (owner || (change?.kind !== 'removed' && change?.kind !== 'renamed')) continue;
      const problem = {
        kind: 'override-missing',
        key: JSON.stringify(['override-missing', symbolId(file, own)]),
        consumer: symbolId(file, own),
        provider: symbolId(file, own),
        file,
        sites: [place(file, member, own)],
        definedAt: [],
        proven: false,
        tier: 'R1',
        statement: `${own} overrides nothing: ${symbolPath(base)} is gone`,
        mismatch: null,
        tried: [],
      } as const;
      yield { problem, consumer, provider };
    }
  }
}

function isAdded(side: ReadMember, path: string, symbol: string): boolean {
  return side.delta.get(symbolId(path, symbol))?.some(({ kind }) => kind === 'added') ?? false;
}
