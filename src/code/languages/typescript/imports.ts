import type { Import } from '#code/facts/facts.ts';
import { Climb } from './climb.ts';
import type { DefinitionPaths } from './definition-paths.ts';
import type { ModuleLoad } from './module-loads.ts';
import { childIn, childrenIn, has, keyName, type Reading } from './reading.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';

/** Code that may never run: an import in it may be meant to fail. */
const conditionalKinds = kindTable([
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

/** A fact with the node that gives its position. */
interface Found {
  readonly node: number;
  readonly fact: Import;
}

export function readImports(
  reading: Reading,
  loads: readonly ModuleLoad[],
  paths: DefinitionPaths,
): Import[] {
  const { tree } = reading;
  const found: Found[] = [];
  for (const statement of childrenIn(tree, 0, Role.statement)) {
    if (tree.kind[statement] === Kind.Import) importStatement(reading, statement, found);
    else {
      const node = tree.kind[statement] === Kind.ExportDeclaration ? statement + 1 : statement;
      if (tree.kind[node] === Kind.ImportEquals) importEquals(reading, node, found);
    }
  }
  if (loads.length > 0) addLoads(reading, loads, paths, found);
  return found.map(({ fact }) => fact);
}

/** Modules may be loaded anywhere between the statements. */
function addLoads(
  reading: Reading,
  loads: readonly ModuleLoad[],
  paths: DefinitionPaths,
  found: Found[],
): void {
  const { tree } = reading;
  const mayNotRun = new Climb(
    tree,
    (node) => (conditionalKinds[tree.kind[node] as number] === 1 ? true : undefined),
    false,
  );
  for (const load of loads) {
    const guarded = !load.typeOnly && (load.hasDefault || mayNotRun.from(load.expression));
    found.push({ node: load.node, fact: loadedImport(reading, load, paths.at(load.expression), guarded) });
  }
  found.sort((a, b) => a.node - b.node);
}

function importStatement(reading: Reading, statement: number, found: Found[]): void {
  const { tree, names } = reading;
  const { role, after } = tree;
  const from = keyName(reading, childIn(tree, statement, Role.source)) ?? '';
  const isTypeOnly = has(tree, statement, Flag.typeOnly);
  const before = found.length;
  for (let node = statement + 1; node < (after[statement] as number); node = after[node] as number) {
    if (role[node] !== Role.specifier) continue;
    const local = names.ofNode(childIn(tree, node, Role.local));
    const typeOnly = isTypeOnly || has(tree, node, Flag.typeOnly);
    const fact = staticImport(reading, node, local, importedName(reading, node), from, typeOnly);
    found.push({ node, fact });
  }
  if (found.length > before) return;
  found.push({ node: statement, fact: staticImport(reading, statement, null, '*', from, isTypeOnly) });
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
function importEquals(reading: Reading, node: number, found: Found[]): void {
  const { tree, names } = reading;
  const value = childIn(tree, node, Role.value);
  if (tree.kind[value] !== Kind.ExternalModule) return;
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
  found.push({ node, fact });
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
