import type { Export } from '#code/facts/facts.ts';
import { childIn, childrenIn, has, keyName, type Reading } from './reading.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';

/** A fact with the node that gives its position. */
interface Found {
  readonly node: number;
  readonly fact: Export;
}

/** Exports of ES modules. */
export function readExports(reading: Reading): Export[] {
  const { tree } = reading;
  const statements = childrenIn(tree, 0, Role.statement);
  const found: Found[] = declared(reading, exportsImplicitly(reading, statements));
  for (const statement of statements) {
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

const declarations = kindTable([
  Kind.Variables,
  Kind.Function,
  Kind.Class,
  Kind.Interface,
  Kind.TypeAlias,
  Kind.Enum,
  Kind.Namespace,
]);
const exportLists = kindTable([Kind.ExportNames, Kind.ExportFrom, Kind.ExportAll]);

/** A declaration file exports all it declares, unless it has a list of exports, `export {}`, or exports a value, `export default a`. */
function exportsImplicitly(reading: Reading, statements: readonly number[]): boolean {
  const { tree, variant } = reading;
  if (variant !== 'dts') return false;
  const saysWhat = (node: number) =>
    exportLists[tree.kind[node] as number] === 1 ||
    (tree.kind[node] === Kind.ExportDefault && declarations[tree.kind[node + 1] as number] === 0);
  return !statements.some(saysWhat);
}

/**
 * `export const a = 1`, `export class B {}`: the names that the declaration binds. `implicitly`: also those of declarations that do not say
 * `export`.
 */
function declared(reading: Reading, implicitly: boolean): Found[] {
  const { tree, names, scopes } = reading;
  const found: Found[] = [];
  const seen = new Set<number>();
  for (const binding of scopes.module.bindings) {
    const above = tree.parent[binding.origin] as number;
    const isVariable = tree.kind[above] === Kind.Variables;
    const statement = isVariable ? (tree.parent[above] as number) : above;
    const isDeclared =
      implicitly && declarations[tree.kind[isVariable ? above : binding.origin] as number] === 1;
    const isExported = tree.kind[statement] === Kind.ExportDeclaration || (isDeclared && statement === 0);
    if (!isExported || seen.has(binding.name)) continue;
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
