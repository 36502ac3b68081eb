import type { Export } from '#code/facts/facts.ts';
import { childIn, childrenIn, has, keyName, type Reading } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** A fact with the node that decides its place among the others. */
interface Found {
  readonly node: number;
  readonly fact: Export;
}

/** Exports of ES modules. */
export function readExports(reading: Reading): Export[] {
  const { tree } = reading;
  const found: Found[] = declared(reading);
  for (const statement of childrenIn(tree, 0, Role.statement)) {
    switch (tree.kind[statement]) {
      case Kind.ExportNames:
      case Kind.ExportFrom:
        found.push(...specifiers(reading, statement));
        break;
      case Kind.ExportAll:
        found.push(exportAll(reading, statement));
        break;
      case Kind.ExportDefault:
        found.push(exportDefault(reading, statement));
        break;
    }
  }
  return found.sort((a, b) => a.node - b.node).map(({ fact }) => fact);
}

/** `export const a = 1`, `export class B {}`: the names that the declaration binds. */
function declared(reading: Reading): Found[] {
  const { tree, names, scopes } = reading;
  const found: Found[] = [];
  const seen = new Set<number>();
  for (const binding of scopes.module.bindings) {
    const above = tree.parent[binding.origin] as number;
    const statement = tree.kind[above] === Kind.Variables ? (tree.parent[above] as number) : above;
    if (tree.kind[statement] !== Kind.ExportDeclaration || seen.has(binding.name)) continue;
    seen.add(binding.name);
    const name = names.text(binding.name);
    found.push({ node: binding.node, fact: fact(reading, binding.node, name, name, null, null, false) });
  }
  return found;
}

function specifiers(reading: Reading, statement: number): Found[] {
  const { tree } = reading;
  const source = childIn(tree, statement, Role.source);
  const from = source < 0 ? null : keyName(reading, source);
  return childrenIn(tree, statement, Role.specifier).map((node) => {
    const local = keyName(reading, childIn(tree, node, Role.local));
    const name = keyName(reading, childIn(tree, node, Role.exported)) ?? '';
    const typeOnly = has(tree, statement, Flag.typeOnly) || has(tree, node, Flag.typeOnly);
    return {
      node,
      fact:
        from === null
          ? fact(reading, node, name, local, null, null, typeOnly)
          : fact(reading, node, name, null, from, local, typeOnly),
    };
  });
}

function exportAll(reading: Reading, statement: number): Found {
  const { tree } = reading;
  const exported = childIn(tree, statement, Role.exported);
  const name = exported < 0 ? '*' : (keyName(reading, exported) ?? '*');
  const from = keyName(reading, childIn(tree, statement, Role.source));
  const typeOnly = has(tree, statement, Flag.typeOnly);
  return { node: statement, fact: fact(reading, statement, name, null, from, '*', typeOnly) };
}

function exportDefault(reading: Reading, statement: number): Found {
  const { names } = reading;
  const declaration = statement + 1;
  const named = namedDefault(reading, declaration);
  const local = named < 0 ? null : names.ofNode(named);
  return { node: statement, fact: fact(reading, statement, 'default', local, null, null, false) };
}

/** The identifier that `export default` exports: of a declaration with a name, or the name itself; else -1. */
export function namedDefault(reading: Reading, declaration: number): number {
  const { tree } = reading;
  if (tree.kind[declaration] === Kind.Reference) return declaration;
  const declares = tree.kind[declaration] === Kind.Interface || has(tree, declaration, Flag.declaration);
  return declares ? childIn(tree, declaration, Role.id) : -1;
}

function fact(
  reading: Reading,
  node: number,
  name: string,
  local: string | null,
  from: string | null,
  imported: string | null,
  typeOnly: boolean,
): Export {
  const { tree, lines } = reading;
  const start = tree.start[node] as number;
  const line = lines.line(start);
  return {
    name,
    local,
    from,
    imported,
    typeOnly,
    line,
    column: lines.columnIn(line, start),
    endLine: lines.line(Math.max(start, (tree.end[node] as number) - 1)),
  };
}
