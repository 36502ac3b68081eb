import type { DefinitionKind, Facts } from '#code/facts/facts.ts';
import { symbolId } from '#schema/identity.ts';

/** A newly exported name of a module. */
export interface AddedSymbol {
  /** <path>#<name>. */
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly kind: DefinitionKind;
}

/** Types do not exist at run time: no test can reach them. */
const typeKinds: ReadonlySet<string> = new Set(['interface', 'type', 'namespace']);

/** New public symbols of a file; re-exports belong to the module they come from. */
export function addedSymbols(path: string, before: Facts | undefined, after: Facts): AddedSymbol[] {
  const known = new Set((before ? offered(before) : []).map(({ name }) => name));
  return offered(after)
    .filter(({ name }) => !known.has(name))
    .map((each) => ({ ...each, path, id: symbolId(path, each.name) }));
}

function offered(facts: Facts): Pick<AddedSymbol, 'name' | 'line' | 'kind'>[] {
  const tops = new Map(
    facts.definitions.filter(({ container }) => container === null).map((each) => [each.name, each]),
  );
  const found =
    facts.module === 'namespace'
      ? [...tops.values()].flatMap((each) =>
          isPublic(facts, each.name) ? [{ name: each.name, of: each }] : [],
        )
      : facts.exports
          .filter(({ from, typeOnly, name }) => from === null && !typeOnly && name !== '*')
          .map(({ name, local }) => ({ name, of: tops.get(local ?? name) }));
  const seen = new Set<string>();
  return found.flatMap(({ name, of }) => {
    if (of === undefined || typeKinds.has(of.kind) || of.ambient || seen.has(name)) return [];
    seen.add(name);
    // Constants of a Python module are data; a function assigned to a constant is code.
    if (facts.module === 'namespace' && of.kind === 'variable') return [];
    if (of.kind === 'variable' && of.signature === null && isConstant(of.name)) return [];
    return [{ name, line: of.line, kind: of.kind }];
  });
}

function isPublic({ publicNames }: Facts, name: string): boolean {
  return publicNames ? publicNames.includes(name) : !name.startsWith('_');
}

/** `LIMIT`, `MAX_SIZE`. */
function isConstant(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/.test(name);
}
