import type { LanguageResolver } from '#code/languages/dialect.ts';
import { baseNameOf, childOf, directoryOf, relativeTo, upwardFrom } from '#code/resolve/repository-path.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Tree } from '#code/resolve/tree.ts';

const rootNames = ['lib.rs', 'main.rs'];

/** Modules are files: `crate::a::b` is `src/a/b.rs` or `src/a/b/mod.rs`. */
export function createRustResolver(tree: Tree): LanguageResolver {
  return {
    resolve(specifier, fromPath) {
      const search = new Search(tree);
      const crate = crateOf(tree, search, fromPath);
      if (crate === undefined) return unknown('no lib.rs or main.rs above');
      const own = moduleOf(crate.folder, fromPath);
      const [first = '', ...rest] = specifier.split('::');
      const path = startOf(first, rest, own);
      if (path === undefined) return external(first);
      const found = fileOf(search, crate, path);
      if (found !== undefined) return search.found(found, true);
      // A path that starts with no keyword may be another crate.
      const isOfCrate = first === 'crate' || first === 'self' || first === 'super';
      if (!isOfCrate) return external(first);
      // `crate::Kind::A` and modules that are written in place are not files.
      const parent = path.length > 1 ? fileOf(search, crate, path.slice(0, -1)) : crate.file;
      return /^[A-Z]/.test(path.at(-1) ?? '') || parent === undefined
        ? unknown('not a file')
        : search.missing();
    },
  };
}

interface Crate {
  readonly folder: string;
  readonly file: string;
}

function crateOf(tree: Tree, search: Search, fromPath: string): Crate | undefined {
  if (rootNames.includes(baseNameOf(fromPath))) return { folder: directoryOf(fromPath), file: fromPath };
  for (const folder of upwardFrom(directoryOf(fromPath))) {
    const name = rootNames.find((each) => tree.blob(childOf(folder, each)) !== undefined);
    if (name !== undefined) return { folder, file: search.file(childOf(folder, name)) ?? '' };
  }
  return undefined;
}

/** `src/a/b.rs` and `src/a/b/mod.rs` are `['a', 'b']`. */
function moduleOf(folder: string, path: string): string[] {
  const inside = relativeTo(folder, path) ?? path;
  const parts = inside.replace(/\.rs$/, '').split('/');
  return parts.at(-1) === 'mod' || (parts.length === 1 && /^(?:lib|main)$/.test(inside.replace(/\.rs$/, '')))
    ? parts.slice(0, -1)
    : parts;
}

function startOf(first: string, rest: readonly string[], own: readonly string[]): string[] | undefined {
  if (first === 'crate') return [...rest];
  if (first === 'self') return [...own, ...rest];
  if (first === 'super') {
    const ups = rest.findIndex((part) => part !== 'super');
    const more = ups < 0 ? rest.length : ups;
    return own.length < more + 1 ? undefined : [...own.slice(0, own.length - 1 - more), ...rest.slice(more)];
  }
  return [...own, first, ...rest];
}

function fileOf(search: Search, { folder, file }: Crate, path: readonly string[]): string | undefined {
  if (path.length === 0) return file;
  const stem = childOf(folder, path.join('/'));
  return search.file(`${stem}.rs`) ?? search.file(`${stem}/mod.rs`);
}
