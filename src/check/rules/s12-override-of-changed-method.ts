import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion, type SeamProblem } from '#check/members/union-problems.ts';
import type { Definition } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { absent } from '#code/link/absence.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Override } from '#code/link/overrides.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { contractProblem } from './contracts/contract.ts';
import {
  changeOfMember,
  common,
  commonOfLoss,
  definedPlace,
  idOf,
  placeOf,
  significant,
  splitId,
} from './linked/diagnosis-parts.ts';
import type { Claimed, CodePair, Found, Rule, Said } from './rule.ts';

export const overrideOfChangedMethod = {
  id: 'S12',
  name: 'override-of-changed-method',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go'],
  precision: 0.94,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch changes or removes a method of a base class or interface; the other adds an override or implementation of the old one, which is now called in the wrong way or not at all.',
  example: {
    a: ['- def render(self, ctx):', '+ def render(self, ctx, options):'],
    b: ['+ class Card(Base):', '+     def render(self, ctx): ...'],
  },
  move: 'Give the override the new signature.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: {
    linked: {
      'override-mismatched': ({ problem, consumer, provider }) => ({
        ...common(problem, problem.provider),
        message: `${problem.statement} since ${provider.ref} changed it; ${consumer.ref} overrides the old one`,
        suggestion: `give ${splitId(problem.consumer)[1]} the parameters that ${splitId(problem.provider)[1]} has now`,
        provider: definedPlace(problem),
      }),
      'override-unfounded': saidOfUnfounded,
    },
    code: (pair) => [...lostOverrides(pair), ...renamedParameters(pair)],
  },
} satisfies Rule;

/** For an override whose base method is gone. */
function saidOfUnfounded({ problem, consumer, provider }: SeamProblem): Claimed<Said> {
  const own = splitId(problem.provider)[1];
  const name = own.slice(own.lastIndexOf('.') + 1);
  const change = changeOfMember(provider, name);
  const gone = change?.kind === 'renamed' || change?.kind === 'removed' ? change : null;
  const renamed = gone?.kind === 'renamed' ? gone.after.definition.name : null;
  return {
    ...(gone ? commonOfLoss(problem, idOf(gone.before)) : common(problem, problem.provider)),
    message: `${own} on ${consumer.ref} overrides ${name}, which ${provider.ref} ${renamed === null ? 'removes from' : `renames to ${renamed} in`} the base`,
    suggestion: renamed === null ? `drop ${own}, or keep ${name} in the base` : `override ${renamed} instead`,
    fix: renamed === null ? null : { from: name, to: renamed },
    provider: gone ? placeOf(gone.before, true) : null,
  };
}

/** A new method overrides one that the other branch removes: nothing calls it any more. */
function lostOverrides({ a, b, union }: CodePair): Found[] {
  return [...lostBetween(a, b, union), ...lostBetween(b, a, union)].map((seam) => ({
    ...seam,
    diagnosis: saidOfUnfounded(seam),
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
      // With the keyword `override`, the linker finds the problem itself if all bases are known.
      if (found.has(symbolId(file, own)) || still.has(own) || !isAdded(consumer, path, own)) continue;
      const change = significant(provider.delta.get(symbolId(basePath, symbolPath(base))));
      // A class that is gone as a whole is one cause, reported at its import.
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
        absence: absent('nobody objects'),
        tier: 'R1',
        statement: `${own} overrides nothing: ${symbolPath(base)} is gone`,
        mismatch: null,
        tried: [],
      } as const;
      yield { problem, consumer, provider };
    }
  }
}

/** Callers pass a parameter of the base by its new name; a new override still has the old one. */
function* renamedParameters({ a, b, union }: CodePair): Generator<Found> {
  for (const [consumer, provider] of [[a, b] as const, [b, a] as const])
    for (const path of consumer.suspects) {
      const file = pathInUnion(path, union, consumer, provider);
      const inUnion = new Map(union.linked(file)?.overrides.map((each) => [symbolPath(each.member), each]));
      for (const { member, base } of consumer.tree.overrides(path)) {
        const own = symbolPath(member);
        const now = inUnion.get(own);
        const renamed = now && isAdded(consumer, path, own) ? renamedParameter(member, base, now.base) : null;
        if (!now || renamed === null || !isPassedByName(provider, now, renamed.to)) continue;
        const above = symbolId(now.path, symbolPath(now.base));
        const statement = `${own} takes no ${renamed.to}, which callers of ${symbolPath(now.base)} pass by name`;
        const at = place(file, now.member, own);
        const definedAt = place(now.path, now.base, symbolPath(now.base));
        yield {
          problem: contractProblem('S12', file, at, above, definedAt, statement),
          consumer,
          provider,
          diagnosis: {
            providerKey: above,
            confidence: 'likely',
            message: `${statement} since ${provider.ref} renamed ${renamed.from}; ${consumer.ref} overrides the old one`,
            suggestion: `rename ${renamed.from} of ${own} to ${renamed.to}`,
            fix: renamed,
            provider: { ...definedAt, removed: false },
          },
        };
      }
    }
}

function renamedParameter(
  member: Definition,
  before: Definition,
  now: Definition,
): { from: string; to: string } | null {
  const [own, old, current] = [member, before, now].map(({ signature }) => signature?.parameters ?? []);
  if (!own || !old || !current || own.some(({ kind }) => kind === 'keyword-rest')) return null;
  const at = old.findIndex(
    ({ name, kind }, place) =>
      kind === 'positional' && current[place]?.kind === 'positional' && current[place].name !== name,
  );
  const [from, to] = [old[at]?.name, current[at]?.name];
  if (from === undefined || to === undefined || own[at]?.name !== from) return null;
  const isGone = !current.some(({ name }) => name === from) && !old.some(({ name }) => name === to);
  return isGone && !own.some(({ name }) => name === to) ? { from, to } : null;
}

/** The branch, which adapts its own code, passes the parameter by its new name somewhere. */
function isPassedByName({ changed, tree }: ReadMember, base: Override, parameter: string): boolean {
  const method = symbolPath(base.base);
  return [...changed.keys()].some((path) =>
    tree
      .calls(path, ({ call }) => call?.keywords.includes(parameter) === true)
      .some((edge) => edge.path === base.path && symbolPath(edge.definition) === method),
  );
}

function isAdded(side: ReadMember, path: string, symbol: string): boolean {
  return side.delta.get(symbolId(path, symbol))?.some(({ kind }) => kind === 'added') ?? false;
}
