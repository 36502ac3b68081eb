import type { Import } from '#code/facts/facts.ts';
import { childIn, childrenIn, has, keyName, type Reading, stringValue } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** A module loaded by an expression or a type: `require('x')`, `import('x')`, `import('x').Type`. */
export interface ModuleLoad {
  /** The node whose location the import gets: the expression, or one property of the pattern that destructures it. */
  readonly node: number;
  /** The `require`, `import()` or type itself. */
  readonly expression: number;
  readonly from: string;
  readonly imported: string;
  /** The identifier that is bound to it, or -1. */
  readonly local: number;
  readonly form: Import['form'];
  readonly typeOnly: boolean;
  /** Destructured with a default: the name may be missing. */
  readonly hasDefault: boolean;
}

type Found = Pick<ModuleLoad, 'expression' | 'from' | 'form'>;

export function findModuleLoads(reading: Reading): ModuleLoad[] {
  const { tree, names } = reading;
  const { kind, count } = tree;
  const loads: ModuleLoad[] = [];
  const require = names.has('require') && canRequire(reading) ? names.of('require') : -1;
  if (require < 0 && !tree.contains(Kind.ImportCall) && !tree.contains(Kind.ImportType)) return loads;
  for (let node = 0; node < count; node++) {
    const nodeKind = kind[node];
    if (nodeKind === Kind.ImportCall) loads.push(...dynamicImport(reading, node));
    else if (nodeKind === Kind.ImportType) loads.push(...importType(reading, node));
    else if (
      nodeKind === Kind.Call &&
      kind[node + 1] === Kind.Reference &&
      names.numberOf(node + 1) === require
    ) {
      loads.push(...requireCall(reading, node));
    }
  }
  return loads;
}

/** Whether `require` is Node's: unbound, or created by `createRequire`. */
function canRequire(reading: Reading): boolean {
  const { tree, names, scopes } = reading;
  const require = names.of('require');
  if (scopes.isBoundLocally(require)) return false;
  const bindings = scopes.module.bindings.filter((binding) => binding.name === require);
  return bindings.every(({ origin }) => {
    const value = tree.kind[origin] === Kind.Variable ? childIn(tree, origin, Role.init) : -1;
    if (value < 0 || tree.kind[value] !== Kind.Call) return false;
    return reading.text.slice(tree.start[value + 1], tree.end[value + 1]).endsWith('createRequire');
  });
}

function dynamicImport(reading: Reading, node: number): ModuleLoad[] {
  const { tree, names } = reading;
  const from = specifier(reading, childIn(tree, node, Role.source));
  if (from === null) return [];
  const found: Found = { expression: node, from, form: 'dynamic' };
  const above = tree.parent[node] as number;
  if (tree.kind[above] === Kind.Await) return taken(reading, found, above);
  if (tree.kind[above] === Kind.Member && tree.role[node] === Role.object) {
    const call = tree.parent[above] as number;
    const isThen = names.ofNode(tree.after[node] as number) === 'then' && tree.role[above] === Role.callee;
    const callback = isThen ? childIn(tree, call, Role.argument) : -1;
    const parameter = callback < 0 ? -1 : childIn(tree, callback, Role.parameter);
    if (parameter >= 0 && tree.kind[parameter] === Kind.Parameter) {
      return bound(reading, found, childIn(tree, parameter, Role.id));
    }
  }
  return [whole(found, -1)];
}

function requireCall(reading: Reading, node: number): ModuleLoad[] {
  const { tree } = reading;
  const argument = childIn(tree, node, Role.argument);
  const from = argument < 0 ? null : specifier(reading, argument);
  return from === null ? [] : taken(reading, { expression: node, from, form: 'require' }, node);
}

function importType(reading: Reading, node: number): ModuleLoad[] {
  const { tree, names } = reading;
  const from = specifier(reading, childIn(tree, node, Role.source));
  if (from === null) return [];
  let qualifier = childIn(tree, node, Role.qualifier);
  while (qualifier >= 0 && tree.kind[qualifier] === Kind.QualifiedName) qualifier++;
  const imported = qualifier < 0 ? '*' : names.ofNode(qualifier);
  return [
    { node, expression: node, from, imported, local: -1, form: 'static', typeOnly: true, hasDefault: false },
  ];
}

/** How the module that `holder` evaluates to is used. */
function taken(reading: Reading, found: Found, holder: number): ModuleLoad[] {
  const { tree, names } = reading;
  const above = tree.parent[holder] as number;
  if (tree.kind[above] === Kind.Variable) return bound(reading, found, childIn(tree, above, Role.id));
  if (tree.kind[above] === Kind.Member && tree.role[holder] === Role.object) {
    const imported = names.ofNode(tree.after[holder] as number);
    const variable = tree.parent[above] as number;
    const id = tree.kind[variable] === Kind.Variable ? childIn(tree, variable, Role.id) : -1;
    const local = id >= 0 && tree.kind[id] === Kind.Binding ? id : -1;
    return [{ ...whole(found, local), imported }];
  }
  return [whole(found, -1)];
}

/** The module is bound to an identifier or destructured by a pattern. */
function bound(reading: Reading, found: Found, id: number): ModuleLoad[] {
  const { tree } = reading;
  if (tree.kind[id] === Kind.Binding) return [whole(found, id)];
  if (tree.kind[id] !== Kind.ObjectPattern) return [whole(found, -1)];
  const loads: ModuleLoad[] = [];
  for (const property of childrenIn(tree, id, Role.member)) {
    const key = childIn(tree, property, Role.key);
    const imported = has(tree, property, Flag.computed) ? null : keyName(reading, key);
    if (imported === null) continue;
    let value = childIn(tree, property, Role.value);
    const hasDefault = tree.kind[value] === Kind.PatternDefault;
    if (hasDefault) value++;
    const local = tree.kind[value] === Kind.Binding ? value : -1;
    loads.push({ ...whole(found, local), node: property, imported, hasDefault });
  }
  return loads.length === 0 || childIn(tree, id, Role.rest) >= 0 ? [...loads, whole(found, -1)] : loads;
}

function whole(found: Found, local: number): ModuleLoad {
  return { ...found, node: found.expression, imported: '*', local, typeOnly: false, hasDefault: false };
}

function specifier(reading: Reading, node: number): string | null {
  const { tree, text } = reading;
  const isPlainTemplate = tree.kind[node] === Kind.Template && tree.after[node] === node + 1;
  if (tree.kind[node] !== Kind.String && !isPlainTemplate) return null;
  return stringValue(text.slice(tree.start[node], tree.end[node]));
}
