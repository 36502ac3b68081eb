import type { Member } from '#check/members/member.ts';
import type { GitTree } from '#git/trees/tree.ts';
import type { Confidence } from '#schema/vocabulary.ts';
import { Chains } from './migrations/chains.ts';
import { type MigrationTool, type Slot, slotKey, slotOf, slotsIn } from './migrations/slots.ts';
import type { Found, Rule, TextPair } from './rule.ts';
import { textProblem } from './text/text-problem.ts';

export const migrationSlotCollision = {
  id: 'M01',
  name: 'migration-slot-collision',
  category: 'schema',
  severity: 'blocking',
  languages: ['any'],
  precision: 0.99,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 36, real: 36 },
  what: 'Both branches add a migration that takes the same place: the same version, or the same migration to follow. The text merges; the tool refuses to migrate, or runs them in an arbitrary order.',
  example: {
    a: ['+ shop/migrations/0042_add_email.py   # follows 0041_prices'],
    b: ['+ shop/migrations/0042_add_phone.py   # follows 0041_prices'],
  },
  move: 'Give the migration that lands later the next version, and let it follow the other one.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: {
    meetsAt: slotKey,
    canMeet: (a, b) => rivals(a, b).length > 0,
    async text(pair) {
      const found: Found[] = [];
      const chains = new Chains(pair);
      for (const [ofA, ofB] of rivals(pair.a, pair.b)) {
        const clash = await clashOf(chains, pair, ofA, ofB);
        if (clash) found.push(said(pair, ofA, ofB, clash));
      }
      return found;
    },
  },
} satisfies Rule;

/** Migrations that the two add to one folder and one tool. */
function rivals(a: Member, b: Member): [Slot, Slot][] {
  const ofB = added(b);
  return added(a).flatMap((one) =>
    ofB
      .filter(
        ({ path, tool }) => path !== one.path && tool === one.tool && slotKey(path) === slotKey(one.path),
      )
      .filter(({ version }) => version === one.version || followsParents(one.tool))
      .map((other): [Slot, Slot] => [one, other]),
  );
}

/** Tools that order migrations by their parent, not by number. */
function followsParents(tool: MigrationTool): boolean {
  return tool === 'django' || tool === 'alembic';
}

function added({ changes }: Member): Slot[] {
  return changes.flatMap(({ status, path }) =>
    status === 'added' || status === 'renamed' ? (slotOf(path) ?? []) : [],
  );
}

interface Clash {
  readonly key: string;
  readonly confidence: Confidence;
  /** `version 42`, `the place after 0041_prices`. */
  readonly place: string;
  readonly consequence: string;
}

async function clashOf(chains: Chains, pair: TextPair, ofA: Slot, ofB: Slot): Promise<Clash | null> {
  const { tool, version } = ofA;
  switch (tool) {
    case 'flyway':
      return sameVersion(pair, ofA, 'proven', 'Flyway refuses two migrations of one version');
    case 'rails':
      return sameVersion(pair, ofA, 'proven', 'Rails refuses two migrations of one version');
    case 'golang-migrate':
      return sameVersion(pair, ofA, 'proven', 'migrate refuses two files of one version');
    case 'numbered':
      return [pair.a, pair.b].some(({ tree }) => repeatsVersions(tree.git, ofA))
        ? null
        : sameVersion(pair, ofA, 'likely', 'which of them runs first follows from their names alone');
    case 'alembic':
      return chains.clash(ofA, ofB, 'Alembic finds two heads and does not upgrade');
    case 'django': {
      const consequence = 'Django finds two leaf nodes and does not migrate';
      return (
        (await chains.clash(ofA, ofB, consequence)) ??
        ((await chains.isComputed(ofA, ofB)) && version === ofB.version
          ? sameVersion(pair, ofA, 'likely', `${consequence}, if both follow the same migration`)
          : null)
      );
    }
  }
}

/** The union has more files of a version than either branch alone. */
function sameVersion(
  { a, b, union }: TextPair,
  { tool, folder, version }: Slot,
  confidence: Confidence,
  consequence: string,
): Clash | null {
  const takers = (tree: GitTree) =>
    slotsIn(tree, folder, tool).filter((slot) => slot.version === version).length;
  return takers(union.git) > Math.max(1, takers(a.tree.git), takers(b.tree.git))
    ? { key: version, confidence, place: `version ${version}`, consequence }
    : null;
}

/** Other versions are used twice already, so the tool puts up with it. */
function repeatsVersions(tree: GitTree, { tool, folder, version }: Slot): boolean {
  const others = slotsIn(tree, folder, tool).filter((slot) => slot.version !== version);
  return new Set(others.map((slot) => slot.version)).size < others.length;
}

function said({ a, b }: TextPair, ofA: Slot, ofB: Slot, clash: Clash): Found {
  const paths = [ofA.path, ofB.path].sort();
  const statement = `${paths.join(' and ')} both take ${clash.place}`;
  return {
    problem: textProblem('M01', paths, statement),
    consumer: b,
    provider: a,
    diagnosis: {
      providerKey: `migration:${ofA.folder}/${clash.key}`,
      confidence: clash.confidence,
      message: `${a.ref} adds ${ofA.path}, ${b.ref} adds ${ofB.path}: both take ${clash.place}; ${clash.consequence}`,
      suggestion: 'give the one that lands later the next version, and let it follow the other one',
      provider: null,
    },
  };
}
