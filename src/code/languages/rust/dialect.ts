import type { Dialect } from '#code/languages/dialect.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { createRustResolver } from './resolve-rust.ts';

/** Types and values (with functions) are separate namespaces; methods of two traits may have the same name. */
const inBoth = new Set(['method', 'field', 'enum-member']);

export const rust: Dialect = {
  ...compiled,
  imports: {
    ...compiled.imports,
    documents: /^Cargo\.toml$/,
    steering: /(^|\/)Cargo\.toml$/,
    indexFiles: ['mod.rs'],
    isStandard: (name) => /^(?:std|core|alloc)$/.test(name),
    openResolver: createRustResolver,
  },
  names: {
    ...compiled.names,
    duplicates: (facts) => clashesByName(facts, (plain) => plain.filter(({ kind }) => !inBoth.has(kind))),
    // mockall generates them from traits.
    isGivenToModules: (name) => /^Mock[A-Z]/.test(name),
    lastStarWins: false,
    seesPrivate: (path, from) => path === from || from.startsWith(folderBelow(path)),
  },
  classes: { ...compiled.classes, instantiatedBy: 'new', methodsTakeInstance: true },
};

/** The modules below `src/store.rs` and `src/store/mod.rs` are in `src/store/`. */
function folderBelow(path: string): string {
  return path.replace(/(?:mod|lib|main)\.rs$|\.rs$/, (ending) => (ending === '.rs' ? '/' : ''));
}
