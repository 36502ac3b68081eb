import type { ReadMember } from '#check/members/member.ts';
import { pathInUnion } from '#check/members/union-problems.ts';
import type { Definition, Facts, Switch } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';
import { dialectOf } from '#code/languages/index.ts';
import { absent, isClosed } from '#code/link/absence.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';
import { claimAbsence } from './claims/claim.ts';
import type { ClaimedFound, CodePair, Rule } from './rule.ts';
import { textProblem } from './text/text-problem.ts';

export const uncoveredCase = {
  id: 'S14',
  name: 'uncovered-case',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'python', 'rust'],
  precision: 0.92,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'One branch adds a member to an enum or a union of values; the other adds a switch that covers all the old members and has no default.',
  example: {
    a: ["- type Status = 'open' | 'done';", "+ type Status = 'open' | 'done' | 'archived';"],
    b: ["+ switch (status) { case 'open': return 1; case 'done': return 2; }"],
  },
  move: 'Handle the new member in the new switch.',
  proof: ['proven', 'likely'],
  claims: 'absence',
  owner: 'consumer',
  detect: {
    code: uncoveredCases,
  },
} satisfies Rule;

/** An enum or a union of literals, with all its possible values. */
interface Choice {
  readonly path: string;
  readonly definition: Definition;
  readonly values: readonly string[];
  /** Those that some builds lack. */
  readonly conditional: ReadonlySet<string>;
}

/** A new switch without default that covers all members its branch knows, but not those that the other branch adds. */
function uncoveredCases({ a, b, union }: CodePair): ClaimedFound[] {
  return [...uncoveredBetween(a, b, union), ...uncoveredBetween(b, a, union)];
}

function* uncoveredBetween(
  consumer: ReadMember,
  provider: ReadMember,
  union: CodeTree,
): Generator<ClaimedFound> {
  for (const path of consumer.suspects) {
    const facts = consumer.tree.facts(path);
    const file = pathInUnion(path, union, consumer, provider);
    if (!facts || facts.switches.length === 0) continue;
    const before = consumer.factsBefore(consumer.changed.get(path)?.oldPath ?? path);
    const old = new Set(before?.switches.map(switchKey));
    for (const each of facts.switches) {
      if (each.hasDefault || old.has(switchKey(each))) continue;
      const meant = choiceOf(consumer.tree, path, facts, each);
      const now = meant && choiceNamed(union, meant.path, symbolPath(meant.definition));
      // A compiler rejects the old name of a member as such: S10 reports it.
      const isRenamed =
        dialectOf(file)?.coversAllCases && meant?.values.some((value) => !now?.values.includes(value));
      const added = now?.values.filter((value) => !meant?.values.includes(value)) ?? [];
      const unhandled = added.filter((value) => !isHandled(value, each, union.facts(file)));
      if (now && !isRenamed && unhandled.length > 0)
        yield diagnosed(consumer, provider, file, each, now, unhandled);
    }
  }
}

/** Git merges both edits of a switch: then it handles what the other branch adds, or has got a default. */
function isHandled(value: string, asked: Switch, merged: Facts | undefined): boolean {
  const all = merged?.switches ?? [asked];
  const own = all.filter(({ scope }) => scope === asked.scope);
  // The other branch may have renamed the function around it.
  return !(own.length > 0 ? own : all).some(
    ({ cases, hasDefault }) =>
      !hasDefault &&
      asked.cases.every((known) => cases.includes(known)) &&
      !cases.some((known) => known === value || known.endsWith(`.${value}`)),
  );
}

function switchKey({ scope, cases }: Switch): string {
  return JSON.stringify([scope, cases]);
}

/** The type a switch covers: the enum its cases name, or the visible union of literals with exactly these values. */
function choiceOf(tree: CodeTree, path: string, facts: Facts, { cases }: Switch): Choice | null {
  const owners = new Set(cases.map((value) => value.slice(0, Math.max(0, value.lastIndexOf('.')))));
  const [owner] = owners;
  const isNamed = cases.every((value) => /^[\p{L}_$][\w$.]*\.[\w$]+$/u.test(value));
  if (isNamed) {
    if (owners.size !== 1 || !owner) return null;
    const choice = choiceAt(tree, path, owner);
    const covered = new Set(cases.map((value) => value.slice(owner.length + 1)));
    return choice?.values.every((value) => covered.has(value)) ? choice : null;
  }
  const covered = new Set(cases);
  const { moduleNames, importedNames } = indexOf(facts);
  for (const name of [...moduleNames.keys(), ...importedNames.keys()]) {
    const choice = choiceAt(tree, path, name);
    if (choice && choice.definition.kind !== 'enum' && isSame(new Set(choice.values), covered)) return choice;
  }
  return null;
}

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && [...a].every((value) => b.has(value));
}

function choiceAt(tree: CodeTree, path: string, name: string): Choice | null {
  const entity = tree.typeNamed(path, name);
  const [definition] = entity.is === 'definition' ? entity.definitions : [];
  return entity.is === 'definition' && definition
    ? choiceNamed(tree, entity.path, symbolPath(definition))
    : null;
}

function choiceNamed(tree: CodeTree, path: string, name: string): Choice | null {
  const facts = tree.facts(path);
  const definition = facts?.definitions.find((candidate) => symbolPath(candidate) === name);
  if (!facts || !definition) return null;
  if (definition.kind !== 'enum')
    return definition.literals
      ? { path, definition, values: definition.literals, conditional: new Set() }
      : null;
  if (definition.members?.open) return null;
  const members = [...indexOf(facts).members(name)].filter(([, [member]]) => member?.kind === 'enum-member');
  const conditional = members.filter(([, [member]]) => member?.conditional);
  return {
    path,
    definition,
    values: members.map(([member]) => member),
    conditional: new Set(conditional.map(([member]) => member)),
  };
}

function diagnosed(
  consumer: ReadMember,
  provider: ReadMember,
  file: string,
  each: Switch,
  { path, definition, conditional }: Choice,
  added: readonly string[],
): ClaimedFound {
  const name = symbolPath(definition);
  const id = symbolId(path, name);
  const absence = absent(
    dialectOf(file)?.coversAllCases !== true && 'nobody objects',
    added.some((value) => conditional.has(value)) && 'nobody objects',
  );
  const statement = `the switch does not handle ${added.join(', ')} of ${name}`;
  const site = place(file, each, each.scope);
  return {
    problem: {
      ...textProblem('S14', [file], statement),
      proven: isClosed(absence),
      consumer: site.symbol,
      provider: id,
      sites: [site],
      tier: 'R1',
    },
    consumer,
    provider,
    diagnosis: {
      providerKey: id,
      confidence: claimAbsence(absence),
      message: `${provider.ref} adds ${added.join(', ')} to ${name}; ${consumer.ref} has a switch over ${name} that knows only the old ones and has no default`,
      suggestion: `handle ${added.join(', ')} in the switch`,
      sitesAreOfBranch: true,
      provider: { ...place(path, definition, name), removed: false },
    },
  };
}
