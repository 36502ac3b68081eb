import type { Export } from '#code/facts/facts.ts';
import { type Situation, valueDefinitions } from './definitions.ts';
import type { Placed } from './placement.ts';
import { childIn, childrenIn, dottedName, has, keyName, type Reading, stringValue } from './reading.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';

/** What a file exports through `exports` and `module.exports`. */
export interface CommonJs {
  readonly exports: readonly Export[];
  readonly definitions: readonly Placed[];
  readonly opaque: readonly string[];
  /** Whether `exports`, `module` or `require` of Node is used at all. */
  readonly isUsed: boolean;
}

export function readCommonJs(reading: Reading, statements: readonly number[]): CommonJs {
  const { tree, names, scopes } = reading;
  const ours = new Map<number, string>();
  for (const global of ['exports', 'module', 'require']) {
    const name = names.of(global);
    const isBound =
      scopes.isBoundLocally(name) || scopes.module.bindings.some((binding) => binding.name === name);
    if (!isBound) ours.set(name, global);
  }
  const collector = new Collector(reading);
  for (const statement of statements) collector.statement(statement);
  for (let node = 0; node < tree.count; node++) {
    if (tree.kind[node] !== Kind.Reference) continue;
    const global = ours.get(names.numberOf(node));
    if (global === undefined || isTypeof(reading, node)) continue;
    collector.isUsed = true;
    if (global === 'exports') collector.exportsObject(node);
    else if (global === 'module') collector.moduleObject(node);
  }
  return collector;
}

class Collector implements CommonJs {
  readonly definitions: Placed[] = [];
  readonly opaque: string[] = [];
  isUsed = false;
  readonly #reading: Reading;
  readonly #exports = new Map<string, Export>();
  /** Names that the file defines. */
  readonly #defined: Set<string>;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#defined = new Set(reading.scopes.module.bindings.map(({ name }) => reading.names.text(name)));
  }

  get exports(): readonly Export[] {
    return [...this.#exports.values()];
  }

  /** TypeScript's syntax: `export = a`, `import a = require('a')`. */
  statement(node: number): void {
    const { tree } = this.#reading;
    if (tree.kind[node] === Kind.ExportAssignment) {
      this.isUsed = true;
      this.#unknown('the module is replaced by `export =`');
      this.#assigned('default', node, node + 1, tree.start[node + 1] as number);
    } else if (tree.kind[node] === Kind.ImportEquals) {
      this.isUsed ||= tree.kind[childIn(tree, node, Role.value)] === Kind.ExternalModule;
    }
  }

  moduleObject(node: number): void {
    const { tree, names } = this.#reading;
    const above = tree.parent[node] as number;
    const isExports =
      tree.kind[above] === Kind.Member &&
      tree.role[node] === Role.object &&
      names.ofNode(tree.after[node] as number) === 'exports';
    if (isExports) this.exportsObject(above);
  }

  /** `holder` evaluates to the object of exports. */
  exportsObject(holder: number): void {
    const { tree } = this.#reading;
    const above = tree.parent[holder] as number;
    const role = tree.role[holder];
    if (role === Role.left && tree.kind[above] === Kind.Assignment) this.#replaced(holder, above);
    else if (role === Role.object) this.#member(above);
    else if (role === Role.argument) this.#handedOver(above);
    else if (role === Role.init || role === Role.right) {
      if (tree.kind[above] !== Kind.Assignment)
        this.#unknown('the exports object is stored under another name');
    }
  }

  /** `exports.name = …`. Reads of `exports.name` are ignored. */
  #member(member: number): void {
    const reading = this.#reading;
    const { tree, names } = reading;
    const assignment = tree.parent[member] as number;
    if (tree.role[member] !== Role.left || tree.kind[assignment] !== Kind.Assignment) return;
    const property = tree.after[member + 1] as number;
    const isStatic = tree.kind[member] === Kind.Member;
    const name = isStatic
      ? names.ofNode(property)
      : tree.kind[property] === Kind.String
        ? keyName(reading, property)
        : null;
    // A symbol of the module, `exports[kInternals]`, adds an export but changes no other one.
    if (name === null) {
      if (!this.#isSymbol(this.#constant(property))) this.#unknown('exports are assigned by a computed name');
    } else
      this.#assigned(name, assignment, childIn(tree, assignment, Role.right), tree.end[member] as number);
  }

  /** `module.exports = …`. */
  #replaced(holder: number, assignment: number): void {
    const reading = this.#reading;
    const { tree } = reading;
    if (tree.kind[holder] === Kind.Reference) return;
    let value = childIn(tree, assignment, Role.right);
    while (tree.kind[value] === Kind.Assignment) value = childIn(tree, value, Role.right);
    const object = tree.kind[value] === Kind.Object ? value : this.#namedObject(value);
    if (object !== null) this.#object(object);
    else {
      this.#unknown('module.exports is replaced as a whole');
      this.#assigned('default', assignment, value, tree.end[holder] as number);
    }
  }

  /** The constant of the module that a reference means; null when it means something else. */
  #constant(reference: number): number | null {
    const { tree, names, scopes } = this.#reading;
    if (tree.kind[reference] !== Kind.Reference) return null;
    const name = names.numberOf(reference);
    const bindings = scopes.module.bindings.filter((binding) => binding.name === name);
    const [binding] = bindings;
    if (!binding || bindings.length > 1 || scopes.isBoundLocally(name)) return null;
    const isConstant =
      tree.kind[binding.origin] === Kind.Variable &&
      has(tree, tree.parent[binding.origin] as number, Flag.const);
    return isConstant ? binding.origin : null;
  }

  #isSymbol(constant: number | null): boolean {
    const { tree, text } = this.#reading;
    const value = constant === null ? -1 : childIn(tree, constant, Role.init);
    return value >= 0 && /^Symbol\b/.test(text.slice(tree.start[value], tree.end[value]));
  }

  /** The object of `const keys = { … }` in `module.exports = keys`, if the code only reads its members otherwise. */
  #namedObject(reference: number): number | null {
    const { tree, names } = this.#reading;
    const origin = this.#constant(reference);
    const object = origin === null ? -1 : childIn(tree, origin, Role.init);
    if (origin === null || tree.kind[object] !== Kind.Object) return null;
    const name = names.numberOf(reference);
    for (let node = 0; node < tree.count; node++) {
      if (tree.kind[node] !== Kind.Reference || node === reference || names.numberOf(node) !== name) continue;
      const member = tree.parent[node] as number;
      const isRead =
        tree.role[node] === Role.object &&
        tree.kind[member] === Kind.Member &&
        (tree.role[member] === Role.argument ||
          tree.role[member] === Role.init ||
          tree.role[member] === Role.callee);
      if (!isRead) return null;
    }
    return object;
  }

  #object(object: number): void {
    const reading = this.#reading;
    const { tree } = reading;
    for (const property of childrenIn(tree, object, Role.member)) {
      const key = childIn(tree, property, Role.key);
      const isNamed = tree.kind[property] === Kind.Property && !has(tree, property, Flag.computed);
      const name = isNamed ? keyName(reading, key) : null;
      if (name === null) this.#unknown('module.exports has computed or spread members');
      else this.#assigned(name, property, childIn(tree, property, Role.value), tree.end[key] as number);
    }
  }

  /** `Object.defineProperty(exports, 'name', …)` and `__exportStar(require('./x'), exports)`, which compilers generate. */
  #handedOver(call: number): void {
    const reading = this.#reading;
    const { tree, text } = reading;
    const callee = dottedName(reading, call + 1);
    const [first = -1, second = -1] = childrenIn(tree, call, Role.argument);
    if (callee === 'Object.defineProperty' && tree.kind[second] === Kind.String) {
      const name = keyName(reading, second) ?? '';
      if (name !== '__esModule') this.#add(name, null, call);
    } else if (callee?.endsWith('__exportStar') && tree.kind[first] === Kind.Call) {
      const source = childIn(tree, first, Role.argument);
      if (tree.kind[source] !== Kind.String) this.#unknown('exports are handed to another function');
      else {
        const from = stringValue(text.slice(tree.start[source], tree.end[source]));
        this.#exports.set(`* ${from}`, {
          name: '*',
          local: null,
          from,
          imported: '*',
          typeOnly: false,
          ...this.#span(call),
        });
      }
    } else this.#unknown('exports are handed to another function');
  }

  #assigned(name: string, node: number, value: number, from: number): void {
    const reading = this.#reading;
    const { tree, names } = reading;
    const kind = tree.kind[value];
    // `exports.a = exports.b = void 0` only declares names.
    const announces = kind === Kind.Assignment || kind === Kind.Unary || kind === Kind.Member;
    if (kind === Kind.Reference) this.#add(name, names.ofNode(value), node);
    else if (announces || this.#defined.has(name)) this.#add(name, null, node);
    else {
      const situation: Situation = { name, container: null, ambient: false, conditional: false, from };
      valueDefinitions(reading, node, value, situation, this.definitions);
      this.#defined.add(name);
      this.#add(name, name, node);
    }
  }

  #add(name: string, local: string | null, node: number): void {
    const known = this.#exports.get(name);
    if (known && (known.local !== null || local === null)) return;
    this.#exports.set(name, {
      name,
      local,
      from: null,
      imported: null,
      typeOnly: false,
      ...this.#span(node),
    });
  }

  #unknown(reason: string): void {
    if (!this.opaque.includes(reason)) this.opaque.push(reason);
  }

  #span(node: number) {
    const { tree, lines } = this.#reading;
    return lines.span(tree.start[node] as number, tree.end[node] as number);
  }
}

function isTypeof(reading: Reading, node: number): boolean {
  const { tree } = reading;
  const above = tree.parent[node] as number;
  return tree.kind[above] === Kind.Unary && has(tree, above, Flag.typeof);
}
