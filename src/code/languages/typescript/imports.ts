import type { Import } from '../../facts.ts';
import { Climb } from './climb.ts';
import type { DefinitionPaths } from './definition-paths.ts';
import type { ModuleLoad } from './module-loads.ts';
import { childIn, childrenIn, has, keyName, type Reading } from './reading.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';

/** What may never run: an import in there may be meant to fail. */
const MAY_NOT_RUN = kindTable([
  Kind.Function,
  Kind.Arrow,
  Kind.Try,
  Kind.If,
  Kind.Conditional,
  Kind.Logical,
  Kind.Switch,
  Kind.For,
  Kind.While,
  Kind.Field,
]);

export function readImports(
  reading: Reading,
  loads: readonly ModuleLoad[],
  paths: DefinitionPaths,
): Import[] {
  const { tree } = reading;
  const imports: { node: number; fact: Import }[] = [];
  for (const statement of childrenIn(tree, 0, Role.statement)) {
    if (tree.kind[statement] === Kind.Import) imports.push(...importStatement(reading, statement));
    else {
      const node = tree.kind[statement] === Kind.ExportDeclaration ? statement + 1 : statement;
      if (tree.kind[node] === Kind.ImportEquals) imports.push(...importEquals(reading, node));
    }
  }
  const mayNotRun = new Climb(
    tree,
    (node) => (MAY_NOT_RUN[tree.kind[node] as number] === 1 ? true : undefined),
    false,
  );
  for (const load of loads) {
    const guarded = !load.typeOnly && (load.hasDefault || mayNotRun.from(load.expression));
    imports.push({ node: load.node, fact: loadedImport(reading, load, paths.at(load.expression), guarded) });
  }
  return imports.sort((a, b) => a.node - b.node).map(({ fact }) => fact);
}

function importStatement(reading: Reading, statement: number): { node: number; fact: Import }[] {
  const { tree, names } = reading;
  const from = keyName(reading, childIn(tree, statement, Role.source)) ?? '';
  const specifiers = childrenIn(tree, statement, Role.specifier);
  const isTypeOnly = has(tree, statement, Flag.typeOnly);
  if (specifiers.length === 0) {
    return [{ node: statement, fact: staticImport(reading, statement, null, '*', from, isTypeOnly) }];
  }
  return specifiers.map((node) => {
    const local = names.ofNode(childIn(tree, node, Role.local));
    const typeOnly = isTypeOnly || has(tree, node, Flag.typeOnly);
    return { node, fact: staticImport(reading, node, local, importedName(reading, node), from, typeOnly) };
  });
}

function staticImport(
  reading: Reading,
  node: number,
  local: string | null,
  imported: string,
  from: string,
  typeOnly: boolean,
): Import {
  const { tree, lines } = reading;
  const start = tree.start[node] as number;
  const line = lines.line(start);
  return {
    local,
    imported,
    from,
    form: 'static',
    guarded: false,
    scope: '',
    typeOnly,
    line,
    column: lines.columnIn(line, start),
    endLine: lines.line(Math.max(start, (tree.end[node] as number) - 1)),
  };
}

function importedName(reading: Reading, specifier: number): string {
  const kind = reading.tree.kind[specifier];
  if (kind === Kind.ImportDefault) return 'default';
  if (kind === Kind.ImportNamespace) return '*';
  return keyName(reading, childIn(reading.tree, specifier, Role.imported)) ?? '*';
}

/** `import fs = require('fs')`. */
function importEquals(reading: Reading, node: number): { node: number; fact: Import }[] {
  const { tree, names } = reading;
  const value = childIn(tree, node, Role.value);
  if (tree.kind[value] !== Kind.ExternalModule) return [];
  const fact: Import = {
    local: names.ofNode(childIn(tree, node, Role.id)),
    imported: '*',
    from: keyName(reading, value + 1) ?? '',
    form: 'require',
    typeOnly: has(tree, node, Flag.typeOnly),
    guarded: false,
    scope: '',
    ...reading.lines.span(tree.start[node] as number, tree.end[node] as number),
  };
  return [{ node, fact }];
}

function loadedImport(reading: Reading, load: ModuleLoad, scope: string, guarded: boolean): Import {
  const { tree, names } = reading;
  return {
    local: load.local < 0 ? null : names.ofNode(load.local),
    imported: load.imported,
    from: load.from,
    form: load.form,
    typeOnly: load.typeOnly,
    guarded,
    scope,
    ...reading.lines.span(tree.start[load.node] as number, tree.end[load.node] as number),
  };
}
