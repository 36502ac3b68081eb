import type { CheckContext } from '#check/context.ts';
import type { Member } from '#check/members/member.ts';
import type { Facts } from '#code/facts/facts.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { LinkedTree } from '#code/link/code-tree.ts';
import { dependenceOf } from '#code/link/linked-file.ts';
import type { Problem } from '#code/link/problem.ts';
import { baseNameOf, childOf, directoryOf, upwardFrom } from '#code/resolve/repository-path.ts';
import type { GitTree } from '#git/trees/tree.ts';
import { remembered } from '#lib/remembered.ts';
import { MissingInBase } from './missing-in-base.ts';

/** Whether an unresolved import is normal here and says little about the branch. */
export function isExpectedToMiss({ file, provider, kind }: Problem, tree: GitTree): boolean {
  // Configuration of tools, which resolve modules in their own way.
  if (file.split('/').some((part) => part.startsWith('.'))) return true;
  if (hasManifestInsidePackage(file, tree)) return true;
  const imports = dialectOf(file)?.imports;
  if (imports?.packages?.isWhole === false) return true;
  return kind === 'module-missing' && imports?.meansInstalled(provider, file, tree) === true;
}

/** A template or a fixture: a folder with a package.json inside a package that is not the root. */
function hasManifestInsidePackage(file: string, tree: GitTree): boolean {
  const manifests = [...upwardFrom(directoryOf(file))].filter(
    (folder) => folder !== '' && tree.blob(childOf(folder, 'package.json')) !== undefined,
  );
  return manifests.length > 1;
}

/** At most this many files of base that contain the word are read, and this many that import something by it are linked. */
const mostRead = 1000;
const mostLinked = 200;
/** One missing module is a defect of base; with several a build generates the folder. */
const fewestGenerated = 2;

/** Imports that do not resolve in base either: generated modules, and earlier problems. */
export class ImportsOfBase {
  readonly #context: CheckContext;
  readonly #base: LinkedTree;
  readonly #asked = new Map<string, Asked>();
  /** Files that name a folder of any problem; null when there are too many to read. */
  #inFolders: readonly string[] | null = null;
  #missing: MissingInBase;

  constructor(context: CheckContext, base: LinkedTree) {
    this.#context = context;
    this.#base = base;
    this.#missing = new MissingInBase(context, []);
  }

  /** Searches base once for all problems: a search reads every file of base. */
  async search(problems: readonly Problem[]): Promise<void> {
    await this.#holders(problems);
    this.#missing = new MissingInBase(this.#context, [
      ...new Set([...modulesOf(problems), ...folderWordsOf(problems).map(inPath)]),
    ]);
    const found = await this.#context.words.holding(this.#base.git, folderWordsOf(problems));
    // Beyond the limit each branch searches for its own words, so that its result depends on that branch alone.
    this.#inFolders = found.length > mostRead ? null : found;
  }

  #holders(problems: readonly Problem[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    return this.#context.words.holders(this.#base.git, [...new Set(problems.map(wordOf))].sort());
  }

  /** Drops imports that do not resolve in any file of base either, and those of files that cannot be read in base. */
  async withoutThoseOfBase(problems: readonly Problem[], side: Member): Promise<Problem[]> {
    const readable = await this.#readableOnBase(problems, side);
    if (readable.length === 0) return [];
    const asking = (await this.#thatAsk(readable)).slice(0, mostLinked);
    await this.#base.link(asking);
    return this.#withoutGenerated(
      readable.filter((problem) => !asking.some((file) => this.#missesToo(file, problem))),
    );
  }

  /** Drops imports from a folder from which base imports several other missing modules. */
  async #withoutGenerated(problems: readonly Problem[]): Promise<Problem[]> {
    const words = folderWordsOf(problems);
    if (words.length === 0) return [...problems];
    const { base, trees } = this.#context;
    const holding =
      this.#inFolders ?? (await this.#context.words.holding(this.#base.git, words)).slice(0, mostRead);
    const files = await trees.get(base.tree);
    const possible = await this.#missing.filesWith(holding, words.map(inPath));
    await files.loadFacts(possible);
    const asking = possible.filter((file) => {
      const facts = files.facts(file);
      const asked = facts && remembered(this.#asked, file, () => askedBy(facts));
      return asked?.specifiers
        .values()
        .some((specifier) => words.some((word) => specifier.includes(inPath(word))));
    });
    await this.#base.link(asking.slice(0, mostLinked));
    const missing = asking.flatMap((file) =>
      (this.#base.linked(file)?.problems ?? []).filter(({ kind }) => kind === 'module-missing'),
    );
    const byFolder = Map.groupBy(missing, folderOf);
    return problems.filter((problem) => {
      if (problem.kind !== 'module-missing') return true;
      const others = new Set((byFolder.get(folderOf(problem)) ?? []).map(({ provider }) => provider));
      return others.size < fewestGenerated;
    });
  }

  /** Files that import something of the same name. Only these are linked, because that reads everything they lead to. */
  async #thatAsk(problems: readonly Problem[]): Promise<string[]> {
    const modules = modulesOf(problems);
    const named = problems.filter(({ kind }) => kind !== 'module-missing');
    const names = named.map(nameOf);
    const holders = await this.#holders(problems);
    const holding = (words: readonly string[]) =>
      [...new Set(words.flatMap((word) => [...(holders.get(word) ?? [])]))].sort().slice(0, mostRead);
    const files = [
      ...new Set([
        ...holding(named.map(wordOf)),
        ...(await this.#missing.filesWith(holding(modules), modules)),
      ]),
    ].sort();
    const base = await this.#context.trees.get(this.#context.base.tree);
    await base.loadFacts(files);
    return files.filter((file) => {
      const facts = base.facts(file);
      if (!facts) return false;
      const asked = remembered(this.#asked, file, () => askedBy(facts));
      return (
        names.some((name) => asked.names.has(name)) ||
        modules.some((word) => asked.specifiers.values().some((specifier) => specifier.includes(word)))
      );
    });
  }

  async #readableOnBase(problems: readonly Problem[], { changed }: Member): Promise<Problem[]> {
    const { reader } = this.#context;
    const before = new Map(
      problems.flatMap(({ file }) => {
        const change = changed.get(file);
        const blob = change?.before?.kind === 'file' ? change.before.id : undefined;
        return blob === undefined ? [] : [[file, { path: change?.oldPath ?? file, blob }] as const];
      }),
    );
    await reader.load([...before.values()]);
    return problems.filter(({ file, provider }) => {
      const version = before.get(file);
      if (!version) return true;
      if (reader.facts(version.path, version.blob)?.syntaxError !== null) return false;
      return !this.#base.linked(version.path)?.gaps.imports.includes(provider);
    });
  }

  /** Whether the file looks for the same missing paths, or has the same problem. */
  #missesToo(file: string, { kind, provider, tried }: Problem): boolean {
    const link = this.#base.linked(file);
    if (!link) return false;
    if (link.problems.some((problem) => problem.kind === kind && problem.provider === provider)) return true;
    const { asked } = dependenceOf(link);
    const absent = tried.filter((path) => this.#base.git.blob(path) === undefined);
    return (
      kind === 'module-missing' && absent.length > 0 && absent.every((path) => asked(path) !== undefined)
    );
  }
}

/** What a file imports from other modules. */
interface Asked {
  readonly specifiers: ReadonlySet<string>;
  readonly names: ReadonlySet<string>;
}

function askedBy({ imports, exports, uses }: Facts): Asked {
  const entries = [...imports, ...exports];
  return {
    specifiers: new Set(entries.flatMap(({ from }) => from ?? [])),
    names: new Set([
      ...entries.flatMap(({ imported }) => imported ?? []),
      ...uses.flatMap(({ path }) => path),
    ]),
  };
}

/** The missing name of a module: `User` for `src/user.ts#User`. */
function nameOf({ provider }: Problem): string {
  return (
    provider
      .slice(provider.lastIndexOf('#') + 1)
      .split('.')
      .at(-1) ?? ''
  );
}

/** A word that every file with the same import contains: `client` for `../generated/client.js`, `crate::client` and `generated.client`. */
function wordOf(problem: Problem): string {
  const { kind, provider, file } = problem;
  if (kind !== 'module-missing') {
    const name = nameOf(problem);
    // Half of all files contain `default`; those that mean this one name its module.
    return name === 'default' ? stemOf(provider.slice(0, provider.lastIndexOf('#'))) : name;
  }
  const isPath = dialectOf(file)?.imports.specifiers === 'paths';
  const last = isPath ? stemOf(provider) : provider.split(/[.:\\]+/).at(-1);
  return last || provider;
}

/** The folder in which a missing module is searched first. */
function folderOf({ tried, provider }: Problem): string {
  return directoryOf(tried[0] ?? provider);
}

/** `icons` for `@ui/icons/Add`, which every import from that folder contains; null: none is written. */
function folderWordOf({ kind, provider, file }: Problem): string | null {
  if (kind !== 'module-missing' || dialectOf(file)?.imports.specifiers !== 'paths') return null;
  const word = baseNameOf(directoryOf(provider));
  return /^\.*$/.test(word) ? null : word;
}

/** Words of the missing modules. */
function modulesOf(problems: readonly Problem[]): string[] {
  return problems.filter(({ kind }) => kind === 'module-missing').map(wordOf);
}

/** `icons/` for `icons`: as in every import from that folder. */
function inPath(folder: string): string {
  return `${folder}/`;
}

function folderWordsOf(problems: readonly Problem[]): string[] {
  return [...new Set(problems.flatMap((problem) => folderWordOf(problem) ?? []))].sort();
}

/** `client` for `../generated/client.js` and for `client/index.ts`. */
function stemOf(path: string): string {
  const stem = baseNameOf(path).replace(/\.\w+$/, '');
  return stem === 'index' ? baseNameOf(directoryOf(path)) || stem : stem;
}
