import { type ChangedFile, type SymbolDelta, symbolDelta } from '#code/delta/symbol-delta.ts';
import type { FactsReader } from '#code/extraction/facts-reader.ts';
import type { Facts } from '#code/facts/facts.ts';
import { packageOf } from '#code/languages/index.ts';
import { partsOfPackage } from '#code/languages/shared/packages.ts';
import type { CodeTree, LinkedTree } from '#code/link/code-tree.ts';
import { type ImportEdge, importKey } from '#code/link/import-edges.ts';
import { changedNames } from '#code/link/interface-keys.ts';
import { dependenceOf, type Gaps, type LinkedFile } from '#code/link/linked-file.ts';
import type { Problem } from '#code/link/problem.ts';
import type { Change, GitTree } from '#git/trees/tree.ts';
import { barrelKeys } from './barrels.ts';

/** One member of a union, with what is needed to find out which others it can clash with. */
export interface Member {
  readonly ref: string;
  readonly commit: string;
  /** Base's own changes can cause a problem, but base is never its owner. */
  readonly isBase: boolean;
  readonly tree: LinkedTree;
  /** Its changes relative to what it shares with the other members. */
  readonly changes: readonly Change[];
  /** Files it has changed that still exist, by the path in its tree. */
  readonly changed: ReadonlyMap<string, Change>;
  /** Old path → new path. */
  readonly renames: ReadonlyMap<string, string>;
  /** Per file the names whose meaning it changed; `''` is the file's existence, `*` everything in it. */
  readonly touched: ReadonlyMap<string, ReadonlySet<string>>;
  /** It can redirect imports of files it does not change. */
  readonly changesResolution: boolean;
  /** Files that may re-export what it adds: see `barrelKeys`. */
  readonly barrels: ReadonlySet<string>;
  /** Imports that the previous version does not have. */
  readonly newImports: readonly ImportEdge[];
  readonly links: LinkSummary;
  /** Reads its changed files. */
  read(suspects?: readonly string[]): Promise<ReadMember>;
}

/** A member whose changed files were read. */
export interface ReadMember extends Member {
  readonly tree: CodeTree;
  /** Its files that depend on something the other member changed. */
  readonly suspects: readonly string[];
  readonly delta: SymbolDelta;
  factsBefore(path: string): Facts | undefined;
  /** See `askAgain`. */
  settle(): Promise<boolean>;
  /** Reads all its changes at once. */
  load(): Promise<void>;
}

/** Summary of the links of all its changed files. */
interface LinkSummary {
  readonly files: number;
  readonly references: number;
  readonly resolved: number;
  /** Every path that one of them depends on. */
  readonly leadsTo: readonly string[];
  readonly gaps: Gaps;
  /** By file: keys of the imports that certainly resolve to nothing. */
  readonly missingImports: readonly (readonly [file: string, keys: readonly string[]])[];
}

function summarise(tree: LinkedTree, paths: readonly string[]): LinkSummary {
  const linked = paths.flatMap((path) => tree.linked(path) ?? []);
  const missing = linked.flatMap(({ problems }) => problems.filter(isMissingImport));
  return {
    files: linked.length,
    references: linked.reduce((sum, file) => sum + file.references, 0),
    resolved: linked.reduce((sum, file) => sum + file.resolved, 0),
    leadsTo: distinct(linked.flatMap((link) => [...dependenceOf(link).paths()])),
    gaps: {
      packages: distinct(linked.flatMap(({ gaps }) => gaps.packages)),
      imports: distinct(linked.flatMap(({ gaps }) => gaps.imports)),
      classes: distinct(linked.flatMap(({ gaps }) => gaps.classes)),
    },
    missingImports: [...Map.groupBy(missing, ({ file }) => file)].map(
      ([file, problems]) => [file, problems.map(({ key }) => key)] as const,
    ),
  };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

function isMissingImport({ kind, proven }: Problem): boolean {
  return (kind === 'module-missing' || kind === 'export-missing') && proven;
}

/** The part of a member that is cached between checks; the rest follows from git and from links. */
export interface PackedMember {
  readonly links: LinkSummary;
  readonly files: readonly PackedFile[];
}

/** The part of one changed file. */
interface PackedFile {
  readonly path: string;
  readonly touched: readonly (readonly [path: string, names: readonly string[]])[];
  readonly barrels: readonly string[];
  readonly newImports: readonly ImportEdge[];
}

/** Links all its changed files. */
export async function linkChanges({ tree, changed }: Member): Promise<void> {
  await tree.link(changed.keys());
}

interface Remembered {
  /** The result of an earlier check of the same changes. */
  readonly known: PackedMember | undefined;
  /** The result before the last commits: still valid for files that did not change. */
  readonly before: (PackedMember & { isSame(path: string): boolean }) | undefined;
}

export async function describeChanges(
  identity: Pick<Member, 'ref' | 'commit' | 'isBase' | 'changesResolution'>,
  trees: { readonly linked: LinkedTree; readonly code: CodeTree },
  changes: readonly Change[],
  reader: FactsReader,
  { known, before: earlier }: Remembered,
): Promise<{ readonly member: Member; readonly packed: PackedMember }> {
  const packed = known ?? {
    files: await describeFiles(changes, trees.code, reader, earlier),
    links: await linkFiles(trees.linked, changes),
  };
  const inGit = inGitAlone(identity, changes);
  const found = {
    touched: touchedBy(packed.files, newPackages(changes, trees.code.git)),
    barrels: new Set(packed.files.flatMap(({ barrels }) => barrels)),
    newImports: packed.files.flatMap(({ newImports }) => newImports),
    links: packed.links,
  };
  const changed = new ReadChanges(changes, reader);
  const read = async (suspects: readonly string[] = []): Promise<ReadMember> => {
    // Linking no files still makes the tree ready to follow names.
    await trees.code.link([]);
    const asked = new Set(suspects);
    await reader.load(changes.flatMap((change) => (asked.has(change.path) ? versions(change) : [])));
    return {
      ...inGit,
      ...found,
      tree: trees.code,
      suspects,
      get delta() {
        return changed.delta;
      },
      factsBefore: (path) => changed.factsBefore(path),
      settle: async () => [await trees.code.settle(), await changed.settle()].every((isSettled) => isSettled),
      load: () => changed.load(),
      read,
    };
  };
  return { member: { ...inGit, ...found, tree: trees.linked, read }, packed };
}

async function linkFiles(tree: LinkedTree, changes: readonly Change[]): Promise<LinkSummary> {
  const paths = changes.flatMap(({ path, after }) => (after?.kind === 'file' ? [path] : []));
  await tree.link(paths);
  return summarise(tree, paths);
}

/** Files that did not change in the last commits are not read again. */
async function describeFiles(
  changes: readonly Change[],
  tree: CodeTree,
  reader: FactsReader,
  earlier: Remembered['before'],
): Promise<PackedFile[]> {
  const known = new Map(earlier?.files.map((file) => [file.path, file]));
  const stillTrue = ({ status, path }: Change) =>
    status === 'modified' && earlier?.isSame(path) ? known.get(path) : undefined;
  await reader.load(changes.flatMap((change) => (stillTrue(change) ? [] : versions(change))));
  // Linking no files still makes the tree ready to resolve imports.
  await tree.link([]);
  return changes.map(
    (change) => stillTrue(change) ?? describeFile(change, changedFile(change, reader), tree),
  );
}

function describeFile(change: Change, file: ChangedFile, tree: CodeTree): PackedFile {
  const { path, oldPath, before, after } = file;
  const touched: [string, string[]][] =
    change.status === 'modified'
      ? [[path, [...changedNames(before, after)]]]
      : [[path, ['', '*', ...changedNames(undefined, after)]]];
  if (oldPath !== null) touched.push([oldPath, ['', '*', ...changedNames(before, undefined)]]);
  const folders = new Set([path, oldPath ?? path].flatMap((file) => packageOf(file) ?? []));
  for (const folder of folders) touched.push([folder, namesInPackage(file, change.status === 'modified')]);
  return {
    path,
    touched,
    barrels: [...barrelKeys(file, tree)],
    newImports: change.after === null ? [] : newImports(file, tree),
  };
}

/** A new file changes only what its own names mean to its package. */
function namesInPackage({ before, after }: ChangedFile, isModified: boolean): string[] {
  const names = isModified
    ? changedNames(before, after)
    : changedNames(before, undefined).union(changedNames(undefined, after));
  return [...names].filter((name) => isModified || name !== '*');
}

/** Packages that exist only since the branch: their files are all new. */
function newPackages(changes: readonly Change[], tree: GitTree): string[] {
  const added = new Set(changes.flatMap(({ path, before }) => (before === null ? [path] : [])));
  const packages = new Set([...added].flatMap((path) => packageOf(path) ?? []));
  return [...packages].filter((path) => {
    const { folder, ending = '' } = partsOfPackage(path) ?? { folder: '' };
    return tree.files(folder).every((file) => !file.endsWith(ending) || added.has(file));
  });
}

function touchedBy(files: readonly PackedFile[], made: readonly string[]): Map<string, Set<string>> {
  const touched = new Map<string, Set<string>>();
  const all = [...files.flatMap((file) => file.touched), ...made.map((path) => [path, ['']] as const)];
  for (const [path, names] of all) {
    const known = touched.get(path);
    if (known) for (const name of names) known.add(name);
    else touched.set(path, new Set(names));
  }
  return touched;
}

function inGitAlone(
  member: Pick<Member, 'ref' | 'commit' | 'isBase' | 'changesResolution'>,
  changes: readonly Change[],
) {
  return {
    ...member,
    changes,
    changed: new Map(changes.filter(({ after }) => after !== null).map((change) => [change.path, change])),
    renames: new Map(
      changes.flatMap(({ oldPath, path }) => (oldPath === null ? [] : [[oldPath, path] as const])),
    ),
  };
}

/** Facts of the changed files, before and after, read on demand: most comparisons need few of them. */
class ReadChanges {
  readonly #changes: readonly Change[];
  readonly #reader: FactsReader;
  readonly #before: ReadonlyMap<string, Change['before']>;
  #isAwaited = false;
  #isLoaded = false;
  #delta: SymbolDelta | null = null;

  constructor(changes: readonly Change[], reader: FactsReader) {
    this.#changes = changes;
    this.#reader = reader;
    this.#before = new Map(changes.map(({ path, oldPath, before }) => [oldPath ?? path, before]));
  }

  async load(): Promise<void> {
    if (!this.#isLoaded) await this.#reader.load(this.#changes.flatMap((change) => versions(change)));
    this.#isLoaded = true;
    this.#isAwaited = false;
  }

  /** Describing the member, or comparing it with another one, may have read everything already. */
  get #isRead(): boolean {
    this.#isLoaded ||= this.#changes.every((change) =>
      versions(change).every(({ path, blob }) => this.#reader.isLoaded(path, blob)),
    );
    return this.#isLoaded;
  }

  async settle(): Promise<boolean> {
    if (!this.#isAwaited) return true;
    await this.load();
    return false;
  }

  get delta(): SymbolDelta {
    if (!this.#isRead) {
      this.#isAwaited = true;
      return new Map();
    }
    this.#delta ??= symbolDelta(this.#changes.map((change) => changedFile(change, this.#reader)));
    return this.#delta;
  }

  factsBefore(path: string): Facts | undefined {
    const before = this.#before.get(path);
    if (before?.kind !== 'file') return undefined;
    this.#isAwaited ||= !this.#reader.isLoaded(path, before.id);
    return this.#reader.facts(path, before.id);
  }
}

/** Imports that the previous version does not have. */
function newImports({ path, before }: ChangedFile, tree: CodeTree): ImportEdge[] {
  const old = new Set(before?.imports.map(importKey));
  for (const entry of before?.exports ?? []) old.add(`${entry.from} ${entry.imported}`);
  return tree.importEdges(path).filter(({ key }) => !old.has(key));
}

function versions({ path, oldPath, before, after }: Change): { path: string; blob: string }[] {
  return [
    ...(before?.kind === 'file' ? [{ path: oldPath ?? path, blob: before.id }] : []),
    ...(after?.kind === 'file' ? [{ path, blob: after.id }] : []),
  ];
}

function changedFile({ path, oldPath, before, after }: Change, reader: FactsReader): ChangedFile {
  return {
    path,
    oldPath,
    before: before?.kind === 'file' ? reader.facts(oldPath ?? path, before.id) : undefined,
    after: after?.kind === 'file' ? reader.facts(path, after.id) : undefined,
  };
}

/** Whether the links of a file depend on something the side changed. */
export function dependsOn(link: LinkedFile, { changesResolution, touched }: Member): boolean {
  if (changesResolution) return true;
  const { paths, asked } = dependenceOf(link);
  for (const path of paths()) {
    const names = touched.get(path);
    if (!names) continue;
    if (names.has('*')) return true;
    for (const name of asked(path) ?? [])
      if (names.has(name) || (name === '**' && names.size > 0)) return true;
  }
  return false;
}
