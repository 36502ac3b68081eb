import type { Export } from '../../facts.ts';
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
    found.push({
      node: binding.node,
      fact: {
        name,
        local: name,
        from: null,
        imported: null,
        typeOnly: false,
        ...spanOf(reading, binding.node),
      },
    });
  }
  return found;
}

function specifiers(reading: Reading, statement: number): Found[] {
  const { tree } = reading;
  const source = childIn(tree, statement, Role.source);
  const from = source < 0 ? null : keyName(reading, source);
  return childrenIn(tree, statement, Role.specifier).map((node) => {
    const local = keyName(reading, childIn(tree, node, Role.local));
    return {
      node,
      fact: {
        name: keyName(reading, childIn(tree, node, Role.exported)) ?? '',
        local: from === null ? local : null,
        from,
        imported: from === null ? null : local,
        typeOnly: has(tree, statement, Flag.typeOnly) || has(tree, node, Flag.typeOnly),
        ...spanOf(reading, node),
      },
    };
  });
}

function exportAll(reading: Reading, statement: number): Found {
  const { tree } = reading;
  const exported = childIn(tree, statement, Role.exported);
  return {
    node: statement,
    fact: {
      name: exported < 0 ? '*' : (keyName(reading, exported) ?? '*'),
      local: null,
      from: keyName(reading, childIn(tree, statement, Role.source)),
      imported: '*',
      typeOnly: has(tree, statement, Flag.typeOnly),
      ...spanOf(reading, statement),
    },
  };
}

function exportDefault(reading: Reading, statement: number): Found {
  const { tree, names } = reading;
  const declaration = statement + 1;
  const named = namedDefault(reading, declaration);
  const local = named < 0 ? null : names.ofNode(tree, named);
  return {
    node: statement,
    fact: {
      name: 'default',
      local,
      from: null,
      imported: null,
      typeOnly: false,
      ...spanOf(reading, statement),
    },
  };
}

/** The identifier that `export default` exports: of a declaration with a name, or the name itself; else -1. */
export function namedDefault(reading: Reading, declaration: number): number {
  const { tree } = reading;
  if (tree.kind[declaration] === Kind.Reference) return declaration;
  const declares = tree.kind[declaration] === Kind.Interface || has(tree, declaration, Flag.declaration);
  return declares ? childIn(tree, declaration, Role.id) : -1;
}

function spanOf(reading: Reading, node: number) {
  return reading.lines.span(reading.tree.start[node] as number, reading.tree.end[node] as number);
}
