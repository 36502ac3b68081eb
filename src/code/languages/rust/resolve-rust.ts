import type { LanguageResolver } from '#code/languages/dialect.ts';
import {
  baseNameOf,
  childOf,
  directoryOf,
  relativeTo,
  upwardFrom,
  within,
} from '#code/resolve/repository-path.ts';
import type { Resolution } from '#code/resolve/resolution.ts';
import { external, Search, unknown } from '#code/resolve/search.ts';
import type { Documents, Tree } from '#code/resolve/tree.ts';

const rootNames = ['lib.rs', 'main.rs'];

/** Modules are files: `crate::a::b` is `src/a/b.rs` or `src/a/b/mod.rs`; `shop_core::a` is in another package of the repository. */
export function createRustResolver(
  tree: Tree,
  documents: Documents,
  documentPaths: readonly string[],
): LanguageResolver {
  let packages: ReadonlyMap<string, string> | undefined;
  return {
    resolve(specifier, fromPath) {
      const search = new Search(tree);
      // `#[path = "other.rs"] mod name;`
      if (specifier.startsWith('./')) {
        const found = search.file(within(directoryOf(fromPath), specifier) ?? '');
        return found === undefined ? search.missing() : search.found(found, true);
      }
      const [first = '', ...rest] = specifier.split('::');
      const crate = crateOf(tree, search, fromPath);
      const path = crate && startOf(first, rest, moduleOf(crate, fromPath));
      const own = crate && path && fileOf(search, crate, path);
      if (own !== undefined) return search.found(own, true);
      if (first === 'crate' || first === 'self' || first === 'super') {
        if (crate === undefined) return unknown('no root of a crate above');
        return path === undefined
          ? unknown('nothing is above the root of a crate')
          : absent(search, crate, path, rest.length === 0);
      }
      packages ??= readPackages(tree, documents, documentPaths);
      const root = packages.get(first);
      const file = root === undefined ? undefined : search.file(root);
      if (root === undefined || file === undefined) return external(first);
      const other = { folder: directoryOf(root), file };
      const found = fileOf(search, other, rest);
      return found === undefined ? absent(search, other, rest, false) : search.found(found, true);
    },
  };
}

/** `crate::Kind::A` is not a file; whether a module is written in the file above it is a fact of that file. */
function absent(search: Search, crate: Crate, path: readonly string[], isModule: boolean): Resolution {
  const above = path.length > 1 ? fileOf(search, crate, path.slice(0, -1)) : crate.file;
  const name = path.at(-1) ?? '';
  return isModule || /^[A-Z]/.test(name) || above === undefined
    ? unknown('not a file')
    : search.missing({ path: above, name });
}

/** Root files of the repository's libraries, by the name that code uses: `shop_core`. */
function readPackages(tree: Tree, documents: Documents, paths: readonly string[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of paths.filter((each) => baseNameOf(each) === 'Cargo.toml')) {
    const text = documents.text(tree.blob(path) ?? '') ?? '';
    const library = tableOf(text, 'lib');
    const name = textOf(library, 'name') ?? textOf(tableOf(text, 'package'), 'name');
    const file = within(directoryOf(path), textOf(library, 'path') ?? 'src/lib.rs');
    if (name !== undefined && file !== undefined) found.set(name.replaceAll('-', '_'), file);
  }
  return found;
}

/** The text below `[package]`. */
function tableOf(text: string, name: string): string {
  return (
    new RegExp(`^[ \\t]*\\[${name}\\][^\\n]*\\n((?:(?![ \\t]*\\[)[^\\n]*\\n?)*)`, 'm').exec(text)?.[1] ?? ''
  );
}

function textOf(table: string, key: string): string | undefined {
  return new RegExp(`^[ \\t]*${key}\\s*=\\s*["']([^"'\\n]*)["']`, 'm').exec(table)?.[1];
}

interface Crate {
  readonly folder: string;
  readonly file: string;
}

/** Each of these files is a separate program. */
const programs = /(?:^|\/)(?:tests|benches|examples|src\/bin)\/[^/]+\.rs$/;

function crateOf(tree: Tree, search: Search, fromPath: string): Crate | undefined {
  if (rootNames.includes(baseNameOf(fromPath)) || programs.test(fromPath))
    return { folder: directoryOf(fromPath), file: fromPath };
  for (const folder of upwardFrom(directoryOf(fromPath))) {
    const name = rootNames.find((each) => tree.blob(childOf(folder, each)) !== undefined);
    if (name !== undefined) return { folder, file: search.file(childOf(folder, name)) ?? '' };
  }
  return undefined;
}

/** `src/a/b.rs` and `src/a/b/mod.rs` are `['a', 'b']`. */
function moduleOf({ folder, file }: Crate, path: string): string[] {
  if (path === file) return [];
  const inside = relativeTo(folder, path) ?? path;
  const parts = inside.replace(/\.rs$/, '').split('/');
  return parts.at(-1) === 'mod' ? parts.slice(0, -1) : parts;
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
