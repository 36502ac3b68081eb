import type { CheckContext } from '#check/context.ts';
import type { Member } from '#check/members/member.ts';
import type { LinkedTree } from '#code/link/code-tree.ts';
import { dependenceOf } from '#code/link/linked-file.ts';
import type { Problem } from '#code/link/problem.ts';
import { baseNameOf, childOf, directoryOf, upwardFrom } from '#code/resolve/repository-path.ts';
import { filesWithWords } from '#git/grep.ts';
import type { GitTree } from '#git/tree.ts';

/** Places where an import that leads to no file of the repository says little about the branch. */
export function isExpectedToMiss({ file, provider, kind }: Problem, tree: GitTree): boolean {
  // Configuration of tools, which have ways of their own to find modules.
  if (file.split('/').some((part) => part.startsWith('.'))) return true;
  if (hasManifestInsidePackage(file, tree)) return true;
  return kind === 'module-missing' && /\.pyi?$/.test(file) && isNamedLikeItself(file, provider, tree);
}

/** A template or a fixture: a folder with a package.json of its own inside a package that is not the root. */
function hasManifestInsidePackage(file: string, tree: GitTree): boolean {
  const manifests = [...upwardFrom(directoryOf(file))].filter(
    (folder) => folder !== '' && tree.blob(childOf(folder, 'package.json')) !== undefined,
  );
  return manifests.length > 1;
}

const projectFiles = ['pyproject.toml', 'setup.py', 'setup.cfg'];

/**
 * `tests/docker/run.py` that imports `docker.errors` means the installed package, not the folder it lies in, unless that is
 * a package at the top of a project.
 */
function isNamedLikeItself(file: string, specifier: string, tree: GitTree): boolean {
  const [first = ''] = specifier.split('.');
  const folder = [...upwardFrom(directoryOf(file))].find((each) => baseNameOf(each) === first);
  if (folder === undefined || first === '') return false;
  const above = directoryOf(folder);
  const isTop =
    above === '' ||
    baseNameOf(above) === 'src' ||
    projectFiles.some((name) => tree.blob(childOf(above, name)) !== undefined);
  return !isTop;
}

/** More files than this say nothing: the word is too common. */
const mostFiles = 200;

/** What the files of base look for and do not find either: generated modules, and debt that was there before. */
export class ImportsOfBase {
  readonly #context: CheckContext;
  readonly #base: LinkedTree;

  constructor(context: CheckContext, base: LinkedTree) {
    this.#context = context;
    this.#base = base;
  }

  /** Without those that base imports in vain too, in whatever file, and those of files that cannot be read on base. */
  async withoutThoseOfBase(problems: readonly Problem[], side: Member): Promise<Problem[]> {
    const readable = await this.#readableOnBase(problems, side);
    if (readable.length === 0) return [];
    const words = [...new Set(readable.map(wordOf))].sort();
    const { workspace, base } = this.#context;
    const holding = (await filesWithWords(workspace.scratch.git, base.tree, words)).slice(0, mostFiles);
    await this.#base.link(holding);
    return readable.filter((problem) => !holding.some((file) => this.#missesToo(file, problem)));
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

  /** The file asks for the very paths that are missing, or has the very problem. */
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

/** A word that stands in every file that imports the same: `client` of `../generated/client.js`. */
function wordOf({ kind, provider, file }: Problem): string {
  const name = kind === 'module-missing' ? provider : provider.slice(provider.lastIndexOf('#') + 1);
  const isPath = kind === 'module-missing' && !/\.pyi?$/.test(file);
  const last = (isPath ? baseNameOf(name).replace(/\.\w+$/, '') : name.split('.').at(-1)) ?? '';
  return last === '' ? name : last;
}
