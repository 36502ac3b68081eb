import type { CheckContext } from '#check/context.ts';
import type { Member } from '#check/members/member.ts';
import { SomeUnions } from '#check/unions/some-unions.ts';
import { mergeMany } from '#check/unions/unions.ts';
import { type Diagnostic, keysOf, type PlacedDiagnostic, symbolAround } from './diagnostic-keys.ts';
import { type Meeting, unionsOfLeftOut } from './meeting.ts';
import { smallestSet } from './smallest-set.ts';
import { isAboutSurroundings, type Resolve } from './surroundings.ts';
import { suspectsOf } from './suspects.ts';

/** A checker that can run on trees. */
export interface Checks {
  /** `focus`: only these files; null: all. */
  diagnostics(tree: string, focus: readonly string[] | null): Promise<readonly Diagnostic[]>;
}

/** A diagnostic of a union that no member has alone. */
export interface Blamed {
  readonly diagnostic: PlacedDiagnostic;
  /** Indexes of live branches. */
  readonly guilty: readonly number[];
  /** Base's changes are part of it. */
  readonly withBase: boolean;
  /** The union of the guilty branches, which the line numbers of the diagnostic refer to. */
  readonly tree: string;
}

/** Above this number of files a full check costs no more than a focused one. */
const mostFocused = 200;

/** Diagnostics that only unions have, each blamed on a smallest set of branches. */
export async function newDiagnostics(
  context: CheckContext,
  meeting: Meeting,
  checks: Checks,
): Promise<Blamed[]> {
  const search = new Search(context, meeting, checks);
  if (meeting.full.tree !== null) await search.union(meeting.full.tree, meeting.full.members);
  for (const members of unionsOfLeftOut(meeting)) {
    const merged = await mergeMany(context, meeting.live, members);
    if (merged.tree !== null && merged.members.length > 1) await search.union(merged.tree, merged.members);
  }
  return search.blamed;
}

class Search {
  readonly blamed: Blamed[] = [];
  readonly #context: CheckContext;
  readonly #meeting: Meeting;
  readonly #checks: Checks;
  /** Keys of diagnostics that were already decided. */
  readonly #judged = new Set<string>();
  readonly #unions: SomeUnions;
  readonly #keys = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #placed = new Map<string, Promise<PlacedDiagnostic[]>>();
  readonly #oldNames: ReadonlyMap<string, string>;

  constructor(context: CheckContext, meeting: Meeting, checks: Checks) {
    this.#context = context;
    this.#meeting = meeting;
    this.#checks = checks;
    this.#unions = new SomeUnions(context, meeting.live);
    this.#oldNames = new Map(
      meeting.sides.flatMap(({ renames }) => [...renames].map(([from, to]) => [to, from] as const)),
    );
  }

  async union(tree: string, members: readonly number[]): Promise<void> {
    const all = await this.#place(tree, await this.#checks.diagnostics(tree, null));
    const open = all.filter((each) => !keysOf(each).some((key) => this.#judged.has(key)));
    const found = await this.#aboutCode(open, tree);
    if (found.length === 0) return;
    const before = await this.#keysIn(this.#context.base.tree, focusOf(found));
    const fresh = found.filter((each) => !keysOf(each).some((key) => before.has(key)));
    const focus = focusOf(fresh);
    for (const diagnostic of fresh) await this.#blame(diagnostic, tree, members, focus);
  }

  async #aboutCode(diagnostics: readonly PlacedDiagnostic[], tree: string): Promise<PlacedDiagnostic[]> {
    const { trees, base } = this.#context;
    const kept: PlacedDiagnostic[] = [];
    for (const diagnostic of diagnostics) {
      const own = this.#meeting.sides.flatMap(({ changed }, index) =>
        changed.has(diagnostic.file) ? [this.#meeting.live[index]?.merged.tree ?? tree] : [],
      );
      const resolvers = [...new Set([tree, base.tree, ...own])].map(
        (id): Resolve =>
          async (specifier, from) =>
            (await trees.get(id)).resolve(specifier, from),
      );
      if (!(await isAboutSurroundings(diagnostic, resolvers))) kept.push(diagnostic);
    }
    return kept;
  }

  async #blame(
    diagnostic: PlacedDiagnostic,
    tree: string,
    members: readonly number[],
    focus: readonly string[] | null,
  ): Promise<void> {
    const keys = keysOf(diagnostic);
    for (const key of keys) this.#judged.add(key);
    const existsIn = async (where: string | null) => {
      if (where === null) return false;
      const there = await this.#keysIn(where, focus);
      return keys.some((key) => there.has(key));
    };
    const { sides, live } = this.#meeting;
    const union = await this.#context.trees.get(tree);
    const suspects = await suspectsOf(diagnostic, union, members, sides, async (side) =>
      ((await this.#text(side, diagnostic.file)) ?? '').includes(diagnostic.text),
    );
    const holds = async (some: readonly number[]) =>
      some.length === members.length || existsIn(await this.#unions.of(some));
    const found =
      (await smallestSet(suspects.near, holds)) ?? (await smallestSet(await suspects.all(), holds));
    const guilty = [...(found ?? members)].sort((a, b) => a - b);
    const [only] = guilty;
    if (only === undefined) return;
    const where = (await this.#unions.of(guilty)) ?? tree;
    const withBase = guilty.length === 1;
    if (withBase) {
      // On one branch alone it is not a conflict, unless only base's changes since the fork caused it.
      const branch = this.#context.branches.find(({ ref }) => ref === live[only]?.ref);
      if (!branch || branch.tree === live[only]?.merged.tree || (await existsIn(branch.tree))) return;
    }
    const shown = (await this.#placedIn(where, focus)).find((each) =>
      keysOf(each).some((key) => keys.includes(key)),
    );
    this.blamed.push({ diagnostic: shown ?? diagnostic, guilty, withBase, tree: where });
  }

  /** Computed once: a hostile file has as many diagnostics as characters, and each asks. */
  #keysIn(tree: string, focus: readonly string[] | null): Promise<ReadonlySet<string>> {
    const question = JSON.stringify([tree, focus]);
    const known = this.#keys.get(question);
    if (known) return known;
    const keys = this.#placedIn(tree, focus).then((placed) => new Set(placed.flatMap(keysOf)));
    this.#keys.set(question, keys);
    return keys;
  }

  #placedIn(tree: string, focus: readonly string[] | null): Promise<PlacedDiagnostic[]> {
    const key = JSON.stringify([tree, focus]);
    const known = this.#placed.get(key);
    if (known) return known;
    const placed = this.#underUnionNames(tree, focus);
    this.#placed.set(key, placed);
    return placed;
  }

  /** Diagnostics with the paths of the union: a member may still have the old name of a file. */
  async #underUnionNames(tree: string, focus: readonly string[] | null): Promise<PlacedDiagnostic[]> {
    const { git } = await this.#context.trees.get(tree);
    const newNames = new Map<string, string>();
    const here = focus?.map((file) => {
      const old = this.#oldNames.get(file);
      if (git.blob(file) !== undefined || old === undefined || git.blob(old) === undefined) return file;
      newNames.set(old, file);
      return old;
    });
    const found = await this.#checks.diagnostics(tree, here ? [...new Set(here)].sort() : null);
    return (await this.#place(tree, found)).map((each) => {
      const file = newNames.get(each.file);
      return file === undefined
        ? each
        : { ...each, file, symbol: each.symbol.replace(each.file, () => file) };
    });
  }

  async #place(tree: string, diagnostics: readonly Diagnostic[]): Promise<PlacedDiagnostic[]> {
    const { reader, trees } = this.#context;
    const { git } = await trees.get(tree);
    const blobs = new Map(
      diagnostics.flatMap(({ file }) => {
        const blob = git.blob(file);
        return blob === undefined ? [] : [[file, blob] as const];
      }),
    );
    await reader.load([...blobs].map(([path, blob]) => ({ path, blob })));
    return diagnostics.map((diagnostic) => {
      const { file, line } = diagnostic;
      const blob = blobs.get(file);
      const facts = blob === undefined ? undefined : reader.facts(file, blob);
      return { ...diagnostic, symbol: symbolAround(file, facts, line) };
    });
  }

  async #text(side: Member, file: string): Promise<string | null> {
    const blob = side.tree.git.blob(file);
    const content = blob === undefined ? null : await this.#context.workspace.objects.content(blob);
    return content?.toString('utf8') ?? null;
  }
}

function focusOf(diagnostics: readonly PlacedDiagnostic[]): string[] | null {
  const files = [...new Set(diagnostics.map(({ file }) => file))].sort();
  return files.length > mostFocused ? null : files;
}
