import type { CallShape, Definition, Export, Facts, Import, Switch, Use } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import { noFacts, plainDefinition } from '#code/facts/no-facts.ts';
import { elementType } from '#code/languages/shared/results.ts';
import { hashRange, shapeRange } from '#code/lex/text-shape.ts';
import { type Tokens, tokenize } from '#code/lex/tokens.ts';
import type { GrammarParser } from './grammar.ts';
import { LineIndex } from './line-index.ts';
import type { Called, Defined, Imported, LocalTypes, Reading } from './reading.ts';
import { spanOf } from './spans.ts';
import { type NodeId, none, type SyntaxTree } from './syntax-tree.ts';

/** Beyond this the parser could run out of memory, which cannot be caught. */
const maxLength = 16 * 1024 * 1024;
/** Longer chains of members are cut. */
const longestPath = 4;

export function readFacts(parser: GrammarParser, reading: Reading, text: string): Facts {
  if (text.length > maxLength) {
    const syntaxError = { line: 1, column: 1, message: 'too large to parse' };
    return { ...noFacts, module: reading.module, syntaxError };
  }
  const { tree, broken } = parser.parse(text);
  const lines = new LineIndex(text);
  return {
    ...new FileReader(reading, tree, lines).read(),
    syntaxError: broken && {
      line: lines.line(broken.offset),
      column: lines.column(broken.offset),
      message: broken.message,
    },
  };
}

/** A scope whose names are visible only inside. */
interface Scope {
  readonly end: NodeId;
  readonly parent: Scope | null;
  readonly names: Map<string, Binding[]>;
  /** Those that are functions or types, which hide what the file defines. */
  readonly items: Set<string>;
  /** The scope of a type: definitions inside are its members. */
  readonly isOfType: boolean;
}

/** `from`: the first node that sees it. */
interface Binding {
  readonly from: NodeId;
  readonly type: string | null;
}

/** A definition whose nodes are being read. */
interface Open {
  readonly end: NodeId;
  readonly path: string;
  readonly isClass: boolean;
}

const memberKinds = new Set<Definition['kind']>([
  'field',
  'method',
  'constructor',
  'accessor',
  'enum-member',
]);
const classKinds = new Set<Definition['kind']>(['class', 'interface', 'enum', 'namespace', 'type']);

class FileReader {
  readonly #reading: Reading;
  readonly #tree: SyntaxTree;
  readonly #lines: LineIndex;
  readonly #tokens: Tokens;
  readonly #definitions: Definition[] = [];
  readonly #imports: Import[] = [];
  readonly #exports: Export[] = [];
  readonly #switches: Switch[] = [];
  /** Nodes that contain a name without using it. */
  readonly #taken = new Set<NodeId>();
  readonly #scopes = new Map<NodeId, Scope>();
  readonly #opens = new Map<NodeId, Open>();
  readonly #calls = new Map<NodeId, Called>();
  /** What the values of a class are given to. */
  readonly #given = new Map<string, Set<string>>();
  #members: ReadonlySet<string> | null = null;

  constructor(reading: Reading, tree: SyntaxTree, lines: LineIndex) {
    this.#reading = reading;
    this.#tree = tree;
    this.#lines = lines;
    this.#tokens = tokenize(tree.text);
  }

  read(): Facts {
    const { module } = this.#reading;
    this.#collect();
    for (const entry of this.#reading.implicitImports?.(this.#tree) ?? []) this.#import(entry, 0);
    const uses = this.#uses();
    const unread = this.#reading.unread?.(this.#tree) ?? [];
    return {
      ...noFacts,
      module,
      definitions: this.#definitions.map((definition) => this.#withGiven(definition)),
      imports: this.#imports,
      exports: this.#exports,
      uses,
      switches: this.#switches,
      opaque: [...(this.#reading.opaque?.(this.#tree) ?? [])],
      ...(unread.length > 0 ? { unread } : {}),
    };
  }

  /** Collects definitions, imports and bindings first, because names may be used before they are defined. */
  #collect(): void {
    const tree = this.#tree;
    const opens: Open[] = [];
    let scope: Scope | null = null;
    for (let node = 0; node < tree.size; node++) {
      while (opens.length > 0 && node >= (opens.at(-1)?.end ?? 0)) opens.pop();
      while (scope !== null && node >= scope.end) scope = scope.parent;
      for (const entry of this.#reading.imports(tree, node)) this.#import(entry, node);
      const around = scope as Scope | null;
      if (this.#reading.scopes.has(tree.kind(node)) && !this.#reading.sharesScope?.(tree, node)) {
        const isOfType: boolean = this.#reading.typeScopes.has(tree.kind(node)) && (around?.isOfType ?? true);
        scope = { end: tree.subtreeEnd(node), parent: scope, names: new Map(), items: new Set(), isOfType };
        this.#scopes.set(node, scope);
      }
      if (scope !== null) this.#bind(node, scope);
      for (const defined of this.#reading.define(tree, node)) {
        this.#taken.add(defined.name);
        // A member may be declared inside a function: a parameter of a constructor in PHP.
        const isMember = typeof defined.container === 'string' && memberKinds.has(defined.kind);
        if (around === null || around.isOfType || isMember) this.#define(defined, node, opens);
        else if (!memberKinds.has(defined.kind)) bindItem(around, defined.as ?? tree.textOf(defined.name));
      }
      const called = this.#reading.call(tree, node);
      if (called && called.callee !== none) this.#calls.set(called.callee, called);
    }
  }

  #bind(node: NodeId, scope: Scope): void {
    const local: LocalTypes = (name) => typeOfLocal(scope, name, node);
    for (const { name, type = null, from = 0, isType } of this.#reading.bind(this.#tree, node, local)) {
      this.#taken.add(name);
      const text = this.#tree.textOf(name);
      if (isType) scope.items.add(text);
      scope.names.set(text, [...(scope.names.get(text) ?? []), { from, type }]);
    }
  }

  #define(defined: Defined, node: NodeId, opens: Open[]): void {
    const tree = this.#tree;
    const {
      name,
      kind,
      container,
      parameters,
      returns,
      typeCount = 0,
      body = none,
      as,
      exported,
      ...rest
    } = defined;
    const around = opens.findLast(({ isClass }) => isClass)?.path ?? null;
    const own = as ?? tree.textOf(name);
    const shape = shapeRange(this.#tokens, tree.end(name), tree.end(node), own);
    const signatureEnd = body === none ? tree.end(node) : tree.start(body);
    const definition: Definition = {
      ...plainDefinition,
      ...spanOf(tree, this.#lines, node),
      ...rest,
      name: own,
      container: container === undefined ? around : container,
      kind,
      bodyHash: shape.hash,
      sketch: shape.sketch,
      signatureHash: hashRange(this.#tokens, tree.end(name), signatureEnd, own),
      signature: parameters
        ? {
            parameters,
            returns: returns ?? null,
            generator: false,
            typeParameters: { min: 0, max: typeCount },
          }
        : null,
    };
    this.#definitions.push(definition);
    if (exported && definition.container === null)
      this.#exports.push({
        ...spanOf(tree, this.#lines, node),
        name: own,
        local: own,
        from: null,
        imported: null,
        typeOnly: false,
      });
    const open = { end: tree.subtreeEnd(node), path: symbolPath(definition), isClass: classKinds.has(kind) };
    opens.push(open);
    this.#opens.set(node, open);
  }

  #import({ isPassedOn, ...entry }: Imported, node: NodeId): void {
    const span = spanOf(this.#tree, this.#lines, node);
    this.#imports.push({ form: 'static', guarded: false, ...entry, ...span, typeOnly: false, scope: '' });
    if (!isPassedOn) return;
    const isStar = entry.imported === '**';
    this.#exports.push({
      ...span,
      name: isStar ? '*' : (entry.local ?? entry.imported),
      local: null,
      from: entry.from,
      imported: isStar ? '*' : entry.imported,
      typeOnly: false,
    });
  }

  #uses(): Use[] {
    const tree = this.#tree;
    const uses: Use[] = [];
    const own = new Set(
      this.#definitions.filter(({ container }) => container === null).map(({ name }) => name),
    );
    const imported = new Set(this.#imports.map(({ local }) => local));
    const opens: Open[] = [];
    let scope: Scope | null = null;
    for (let node = 0; node < tree.size; node++) {
      while (opens.length > 0 && node >= (opens.at(-1)?.end ?? 0)) opens.pop();
      while (scope !== null && node >= scope.end) scope = scope.parent;
      const opened = this.#opens.get(node);
      if (opened) opens.push(opened);
      scope = this.#scopes.get(node) ?? scope;
      const symbol = opens.at(-1)?.path ?? '';
      const here = scope;
      const locals: LocalTypes = (name) => typeOfLocal(here, name, node);
      this.#switch(node, scope, symbol);
      for (const { type, to } of this.#reading.given?.(tree, node, locals) ?? [])
        this.#given.set(type, (this.#given.get(type) ?? new Set()).add(to));
      for (const { type, member } of this.#reading.namedMembers?.(tree, node, locals) ?? []) {
        this.#taken.add(member);
        if (isItem(scope, rootOf(type))) continue;
        uses.push(...this.#use(member, 'read', type, 'instance', [tree.textOf(member)], symbol));
      }
      if (this.#taken.has(node)) continue;
      const around = opens.findLast(({ isClass }) => isClass)?.path;
      if (this.#reading.isSelf(tree, node)) {
        const owner = this.#reading.selfType ? this.#reading.selfType(tree, node) : around;
        if (typeof owner === 'string') uses.push(...this.#typed(scope, node, 'read', owner, symbol));
        continue;
      }
      const value = this.#valueBefore(node);
      const type = value === none ? null : this.#reading.valueType?.(tree, value, locals);
      if (type) uses.push(...this.#typed(scope, value, 'read', type, symbol));
      if (!this.#reading.names.has(tree.kind(node))) continue;
      const kind = this.#reading.use(tree, node);
      if (kind === null) continue;
      const name = this.#reading.nameOf?.(tree, node) ?? tree.textOf(node);
      const local = locals(name);
      if (local !== undefined) {
        if (local !== null) uses.push(...this.#typed(scope, node, kind, local, symbol));
      } else if (this.#reading.hasImplicitSelf && kind !== 'type' && !own.has(name) && !imported.has(name)) {
        const owner = opens.findLast(({ path, isClass }) => isClass && this.#hasMember(path, name))?.path;
        if (owner !== undefined) uses.push(...this.#use(node, kind, owner, 'instance', [name], symbol));
        else if (/^[A-Z]/.test(name) && !this.#reading.globals.has(name))
          uses.push(...this.#use(node, kind, name, 'name', [], symbol));
      } else if (own.has(name) || imported.has(name) || !this.#reading.globals.has(name))
        uses.push(...this.#use(node, kind, name, 'name', [], symbol));
    }
    return uses;
  }

  /** A class must have what is asked of its values wherever they are given to something. */
  #withGiven(definition: Definition): Definition {
    const to =
      definition.container === null && definition.kind === 'class' && this.#given.get(definition.name);
    return to ? { ...definition, implements: [...new Set([...definition.implements, ...to])] } : definition;
  }

  /** The value whose member a node accesses, unless that is a name or its member, which are read from the name on. */
  #valueBefore(node: NodeId): NodeId {
    const object = this.#reading.access(this.#tree, node)?.object ?? none;
    const isNamed =
      this.#reading.names.has(this.#tree.kind(object)) ||
      this.#reading.isSelf(this.#tree, object) ||
      // In Java a call of a method is its access, too.
      (this.#reading.access(this.#tree, object) !== null && this.#reading.call(this.#tree, object) === null);
    return isNamed ? none : object;
  }

  /** A use of a value whose type is known; a list of them, and a type of the scope, have no members that are. */
  #typed(scope: Scope | null, node: NodeId, kind: Use['kind'], type: string, symbol: string): Use[] {
    if (elementType(type) !== null || isItem(scope, rootOf(type))) return [];
    return this.#use(node, kind, type, 'instance', [], symbol);
  }

  #switch(node: NodeId, scope: Scope | null, symbol: string): void {
    const found = this.#reading.switched?.(this.#tree, node);
    if (found && !found.cases.some((name) => isItem(scope, rootOf(name))))
      this.#switches.push({ ...spanOf(this.#tree, this.#lines, node), scope: symbol, ...found });
  }

  #hasMember(path: string, name: string): boolean {
    this.#members ??= new Set(this.#definitions.map(symbolPath));
    return this.#members.has(`${path}.${name}`);
  }

  /** A use of a name, with the members read through it. A typed value without a member is not recorded. */
  #use(
    node: NodeId,
    kind: Use['kind'],
    root: string,
    rootIs: Use['rootIs'],
    first: readonly string[],
    scope: string,
  ): Use[] {
    const tree = this.#tree;
    const path = [...first];
    let top = node;
    // Of a value only what follows counts, also if it is a call itself.
    let called = rootIs === 'instance' && first.length === 0 ? undefined : this.#calls.get(top);
    while (!called) {
      const parent = tree.parent(top);
      const access = parent === none ? null : this.#reading.access(tree, parent);
      if (access === null || access.object !== top || access.member === none) break;
      if (path.length < longestPath) path.push(tree.textOf(access.member));
      this.#taken.add(access.member);
      top = parent;
      called = this.#calls.get(top);
    }
    if (rootIs === 'instance' && path.length === 0) return [];
    const call = path.length < longestPath ? called : undefined;
    const span = spanOf(tree, this.#lines, top);
    return [
      {
        ...span,
        kind: call?.kind ?? (kind === 'call' ? 'read' : kind),
        root,
        rootIs,
        path,
        scope,
        call: call ? shapeOfCall(call) : null,
        typeArguments: null,
        guarded: false,
      },
    ];
  }
}

function bindItem({ names, items }: Scope, name: string): void {
  items.add(name);
  if (!names.has(name)) names.set(name, [{ from: 0, type: null }]);
}

function isItem(scope: Scope | null, name: string): boolean {
  for (let here = scope; here !== null; here = here.parent) if (here.items.has(name)) return true;
  return false;
}

/** `Store` in `Store.find.()`. */
function rootOf(type: string): string {
  const [root = type] = type.split('.', 1);
  return root;
}

/** undefined: no scope binds the name. null: a local of unknown type, or one that holds values of two types. */
function typeOfLocal(scope: Scope | null, name: string, at: NodeId): string | null | undefined {
  for (let here = scope; here !== null; here = here.parent) {
    const [first, ...others] = here.names.get(name)?.filter(({ from }) => from <= at) ?? [];
    if (first) return others.every(({ type }) => type === first.type) ? first.type : null;
  }
  return undefined;
}

function shapeOfCall(called: Called): CallShape {
  return {
    positional: called.positional,
    keywords: called.keywords ?? [],
    spread: called.spread ?? false,
    keywordSpread: called.keywordSpread ?? false,
    objects: [],
    awaited: false,
    result: 'other',
    unpacked: called.unpacked ?? null,
  };
}
