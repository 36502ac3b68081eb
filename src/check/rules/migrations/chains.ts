import type { TextPair } from '#check/rules/rule.ts';
import { remembered } from '#lib/remembered.ts';
import type { Confidence } from '#schema/vocabulary.ts';
import { headsFrom, headsOf, type Revision } from './heads.ts';
import { alembicLineage, djangoLineage, type Lineage } from './parents.ts';
import { type Slot, slotOf, slotsIn } from './slots.ts';

interface Break {
  readonly key: string;
  readonly confidence: Confidence;
  readonly place: string;
  readonly consequence: string;
}

/** The migrations of one folder of the union, each with its path. */
interface Chain {
  readonly revisions: readonly (Revision & { readonly path: string })[];
  /** A branch changes one whose parents are computed: it may join two heads. */
  readonly isOpen: boolean;
}

/** Migrations that follow each other by name, as the union of two branches has them. */
export class Chains {
  readonly #pair: TextPair;
  readonly #lineages = new Map<string, Promise<Lineage>>();
  readonly #chains = new Map<string, Promise<Chain>>();

  constructor(pair: TextPair) {
    this.#pair = pair;
  }

  /** Two migrations follow the same one, and the union has more heads after it than either branch alone. */
  async clash(ofA: Slot, ofB: Slot, consequence: string): Promise<Break | null> {
    const [a, b] = await Promise.all([this.#lineage(ofA), this.#lineage(ofB)]);
    if (!a || !b || a === 'computed' || b === 'computed') return null;
    // Django names its migrations by their files.
    if (ofA.tool === 'alembic' && a.id === b.id)
      return { key: a.id, confidence: 'proven', place: `revision ${a.id}`, consequence };
    const shared = a.parents.filter((name) => b.parents.includes(name));
    if (shared.length === 0) return null;
    const { revisions, isOpen } = await remembered(this.#chains, ofA.folder, () => this.#chain(ofA));
    // A migration of another Django app may have any number of successors.
    const isOwn = (name: string) => ofA.tool === 'alembic' || revisions.some(({ id }) => id === name);
    const parent = shared.find((name) => isOwn(name) && this.#hasMoreHeads(revisions, name));
    const endsOfB = new Set(headsFrom(revisions, b.id));
    if (parent === undefined || headsFrom(revisions, a.id).some((head) => endsOfB.has(head))) return null;
    // Where each branch has several heads alone, the project upgrades to all of them.
    const severalAnyway = this.#sides(revisions).every((own) => headsOf(own).length > 1);
    const confidence = isOpen || severalAnyway ? 'likely' : 'proven';
    return { key: parent, confidence, place: `the place after ${parent}`, consequence };
  }

  async isComputed(...slots: readonly Slot[]): Promise<boolean> {
    const lineages = await Promise.all(slots.map((slot) => this.#lineage(slot)));
    return lineages.includes('computed');
  }

  #hasMoreHeads(revisions: Chain['revisions'], parent: string): boolean {
    const alone = this.#sides(revisions).map((own) => headsFrom(own, parent).length);
    return headsFrom(revisions, parent).length > Math.max(...alone);
  }

  #sides(revisions: Chain['revisions']): Chain['revisions'][] {
    return [this.#pair.a, this.#pair.b].map(({ tree }) =>
      revisions.filter(({ path }) => tree.git.blob(path) !== undefined),
    );
  }

  async #chain({ folder, tool }: Slot): Promise<Chain> {
    const { a, b, union } = this.#pair;
    const changed = [a, b].flatMap(({ changes }) => changes.flatMap(({ path }) => slotOf(path) ?? []));
    // Alembic may have several folders of versions.
    const others = changed.filter((slot) => slot.tool === tool && tool === 'alembic');
    const slots = new Map([...slotsIn(union.git, folder, tool), ...others].map((slot) => [slot.path, slot]));
    const lineages = await Promise.all(
      [...slots.values()].map(async (slot) => ({ slot, lineage: await this.#lineage(slot) })),
    );
    const changedPaths = new Set(changed.map(({ path }) => path));
    return {
      revisions: lineages.flatMap(({ slot: { path }, lineage }) =>
        lineage === null || lineage === 'computed' ? [] : [{ ...lineage, path }],
      ),
      isOpen: lineages.some(({ slot, lineage }) => lineage === 'computed' && changedPaths.has(slot.path)),
    };
  }

  #lineage({ path, tool }: Slot): Promise<Lineage> {
    return remembered(this.#lineages, path, async () => {
      const text = await this.#pair.read(path);
      if (text === null) return null;
      return tool === 'alembic' ? alembicLineage(path, text) : djangoLineage(path, text);
    });
  }
}
