import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion } from '#check/members/union-problems.ts';
import type { Comparison } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { ownerPlace } from './linked/diagnosis-parts.ts';
import type { CodePair, Found, Rule } from './rule.ts';
import { textProblem } from './text/text-problem.ts';

export const enumRenumbered = {
  id: 'S15',
  name: 'enum-renumbered',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'python'],
  precision: 0.9,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch shifts the numbers behind an enum; the other adds code that compares a value of that enum with the old number.',
  example: {
    a: ['  ACTIVE = 1', '+ PAUSED = 2', '- DONE = 2', '+ DONE = 3'],
    b: ['+ if job.status == 2:', '+     archive(job)'],
  },
  move: 'Use the name instead of the number, or append new members at the end.',
  proof: ['likely'],
  owner: 'consumer',
  detect: {
    code: renumberedLiterals,
  },
} satisfies Rule;

/** A new literal means a member of an enum, and the other branch gives that number to another member. */
function renumberedLiterals({ a, b, union }: CodePair): Found[] {
  return [...renumberedBetween(a, b, union), ...renumberedBetween(b, a, union)];
}

function* renumberedBetween(consumer: ReadMember, provider: ReadMember, union: CodeTree): Generator<Found> {
  for (const path of consumer.suspects) {
    const facts = consumer.tree.facts(path);
    if (!facts || facts.comparisons.length === 0) continue;
    const before = consumer.factsBefore(consumer.changed.get(path)?.oldPath ?? path);
    const old = new Set(before?.comparisons.map(comparisonKey));
    const file = pathInUnion(path, union, consumer, provider);
    for (const each of facts.comparisons) {
      const target = old.has(comparisonKey(each)) ? null : enumOf(consumer.tree, path, each);
      const meant = target && memberWith(consumer.tree, target, each.literal);
      if (!target || !meant) continue;
      const now = memberWith(union, target, each.literal);
      if (now !== meant) yield diagnosed(consumer, provider, file, each, target, meant, now);
    }
  }
}

function comparisonKey({ scope, root, path, literal }: Comparison): string {
  return JSON.stringify([scope, root, path, literal]);
}

interface Target {
  readonly path: string;
  readonly name: string;
}

function enumOf(tree: CodeTree, path: string, comparison: Comparison): Target | null {
  const entity = tree.comparedType(path, comparison);
  const [definition] = entity.is === 'definition' ? entity.definitions : [];
  return entity.is === 'definition' && definition?.kind === 'enum'
    ? { path: entity.path, name: symbolPath(definition) }
    : null;
}

function memberWith(tree: CodeTree, { path, name }: Target, literal: string): string | null {
  const facts = tree.facts(path);
  if (!facts) return null;
  for (const [member, [definition]] of indexOf(facts).members(name))
    if (definition?.literals?.[0] === literal) return member;
  return null;
}

function diagnosed(
  consumer: ReadMember,
  provider: ReadMember,
  file: string,
  each: Comparison,
  { path, name }: Target,
  meant: string,
  now: string | null,
): Found {
  const id = symbolId(path, name);
  const is = now === null ? 'no member' : now;
  const site = place(file, each, each.scope);
  return {
    problem: {
      ...textProblem('S15', [file], `${each.literal} is ${is} of ${name}, not ${meant}`),
      proven: false,
      consumer: site.symbol,
      provider: id,
      sites: [site],
      tier: 'R2',
    },
    consumer,
    provider,
    diagnosis: {
      providerKey: id,
      confidence: 'likely',
      message: `${each.literal} is ${meant} of ${name} for ${consumer.ref}, but ${is} since ${provider.ref} renumbered it`,
      suggestion: `write ${name}.${meant} instead of ${each.literal}`,
      sitesAreOfBranch: true,
      provider: ownerPlace(provider, path, name),
    },
  };
}
