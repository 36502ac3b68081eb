import type { CallShape, Definition, Parameter, TypeName } from '#code/facts/facts.ts';
import type { CallMismatch, Dialect } from '#code/languages/dialect.ts';
import { bindArguments } from '#code/languages/shared/bind-arguments.ts';
import { compiled } from '#code/languages/shared/compiled.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';
import { elementType } from '#code/languages/shared/results.ts';
import { createRustResolver } from './resolve-rust.ts';

/** The type that a function declares to return, or (`isUnwrapped`) what that holds: the reader leaves out type parameters. */
function resultType({ type, async }: Definition, isAwaited: boolean, isUnwrapped: boolean): TypeName | null {
  if (async !== isAwaited) return null;
  const element = elementType(type);
  return isUnwrapped ? element : element === null ? type : null;
}

/** A field that a struct does not have is reported as a member: the literal lacks the new one only because of that. */
function bind(parameters: readonly Parameter[], call: CallShape): CallMismatch {
  const mismatch = bindArguments(parameters, call);
  return mismatch.unexpected.length > 0 ? { missing: [], unexpected: [], surplus: 0 } : mismatch;
}

/** Types and values (with functions) are separate namespaces; methods of two traits may have the same name. */
const inBoth = new Set(['method', 'field', 'enum-member']);

export const rust: Dialect = {
  ...compiled,
  coversAllCases: true,
  imports: {
    ...compiled.imports,
    specifiers: 'names',
    documents: /^Cargo\.toml$/,
    steering: /(^|\/)Cargo\.toml$/,
    indexFiles: ['mod.rs'],
    isStandard: (name) => /^(?:std|core|alloc)$/.test(name),
    openResolver: createRustResolver,
  },
  names: {
    ...compiled.names,
    duplicates: (facts) => clashesByName(facts, (plain) => plain.filter(({ kind }) => !inBoth.has(kind))),
    // mockall generates mocks from traits.
    isGivenToModules: (name) => /^(?:Mock[A-Z].*|crate|self|super)$/.test(name),
    lastStarWins: false,
    // A type brings its variants: `use Kind::*`.
    starBrings: (from, name) => !/(?:^|::)[A-Z]\w*$/.test(from) || /^[A-Z]/.test(name),
    seesPrivate: (path, from) => path === from || from.startsWith(folderBelow(path)),
  },
  calls: { ...compiled.calls, bind, resultType },
  classes: {
    ...compiled.classes,
    // `Pair(1, 2)`
    instantiatedBy: 'call',
    madeConstructor: ({ definitions: [struct], exact }) =>
      struct?.signature ? { signature: struct.signature, exact } : 'unknown',
    methodsTakeInstance: true,
    implementsInPlace: true,
    fieldsBesideMethods: true,
  },
};

/** The modules below `src/store.rs` and `src/store/mod.rs` are in `src/store/`. */
function folderBelow(path: string): string {
  return path.replace(/(?:mod|lib|main)\.rs$|\.rs$/, (ending) => (ending === '.rs' ? '/' : ''));
}
