import type { Member } from '#check/members/member.ts';
import { childOf } from '#code/resolve/repository-path.ts';
import type { Confidence } from '#schema/vocabulary.ts';
import { alembicLineage, djangoLineage } from './migrations/parents.ts';
import { type MigrationTool, type Slot, slotKey, slotOf } from './migrations/slots.ts';
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
      for (const [ofA, ofB] of rivals(pair.a, pair.b)) {
        const clash = await clashOf(pair, ofA, ofB);
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

async function clashOf(pair: TextPair, ofA: Slot, ofB: Slot): Promise<Clash | null> {
  const { tool, version, folder } = ofA;
  switch (tool) {
    case 'flyway':
      return sameVersion(version, 'proven', 'Flyway refuses two migrations of one version');
    case 'rails':
      return sameVersion(version, 'proven', 'Rails refuses two migrations of one version');
    case 'golang-migrate':
      return sameVersion(version, 'proven', 'migrate refuses two files of one version');
    case 'numbered':
      return sameVersion(version, 'likely', 'which of them runs first follows from their names alone');
    case 'alembic':
      return shared(pair, ofA, ofB, alembicLineage, 'Alembic finds two heads and does not upgrade');
    case 'django': {
      const clash = await shared(
        pair,
        ofA,
        ofB,
        djangoLineage,
        'Django finds two leaf nodes and does not migrate',
      );
      // A migration of another app may have any number of successors.
      const isOwn = clash?.confidence !== 'proven' || pair.union.git.blob(childOf(folder, `${clash.key}.py`));
      return isOwn ? clash : null;
    }
  }
}

function sameVersion(version: string, confidence: Confidence, consequence: string): Clash {
  return { key: version, confidence, place: `version ${version}`, consequence };
}

async function shared(
  { read }: TextPair,
  ofA: Slot,
  ofB: Slot,
  lineageOf: typeof alembicLineage,
  consequence: string,
): Promise<Clash | null> {
  const [textA, textB] = [await read(ofA.path), await read(ofB.path)];
  const a = textA === null ? null : lineageOf(textA);
  const b = textB === null ? null : lineageOf(textB);
  if (!a || !b) {
    // Their parents cannot be read; the same number is a hint, not a proof.
    const isSame = ofA.version !== '' && ofA.version === ofB.version;
    return isSame
      ? sameVersion(ofA.version, 'likely', `${consequence}, if both follow the same migration`)
      : null;
  }
  if (a.own !== null && a.own === b.own)
    return { key: a.own, confidence: 'proven', place: `revision ${a.own}`, consequence };
  const parent = a.parents.find((name) => b.parents.includes(name));
  if (parent === undefined) return null;
  return { key: parent, confidence: 'proven', place: `the place after ${parent}`, consequence };
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
