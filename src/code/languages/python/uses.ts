import type { CallShape, Comparison, Use } from '#code/facts/facts.ts';
import { keysOfValue, plainResult, testedValue } from '#code/languages/shared/results.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { remembered } from '#lib/remembered.ts';
import type { Bound } from './binder.ts';
import { callShape } from './call-shapes.ts';
import { onlyBase } from './classes.ts';
import { dottedName, stringValue } from './expressions.ts';
import { requestedFixtures } from './fixtures.ts';
import { type KeyRead, keyRead, keysGivenIn } from './key-uses.ts';
import { literalBeside } from './literals.ts';
import { type MockTarget, mockTargets } from './mock-targets.ts';
import { modelFields } from './model-fields.ts';
import type { Meaning } from './names.ts';
import { lookup, type Scope } from './scopes.ts';
import type { SourceFile } from './source-file.ts';
import { Mark } from './surroundings.ts';
import { subscriptArguments } from './type-names.ts';
import { isUnionText } from './type-text.ts';

const maxPath = 4;
const maxQuotes = 3;

export function readUses(file: SourceFile): { uses: Use[]; comparisons: Comparison[] } {
  return new UseReader(file).read();
}

/** An expression `root.a.b` seen from its root. */
interface Chain {
  readonly path: readonly string[];
  /** The outermost node of the chain. */
  readonly top: NodeId;
}

class UseReader {
  readonly #file: SourceFile;
  readonly #bound: Bound;
  readonly #tree: SyntaxTree;
  readonly #uses: Use[] = [];
  readonly #comparisons: Comparison[] = [];
  /** Members that no class needs to define, with the offset from which that holds: tested by `hasattr`, or assigned. */
  readonly #tested = new Map<Scope | null, Map<string, number>>();
  /** Keys that functions give to their variables, by function and name. */
  readonly #givenKeys = new Map<string, ReadonlySet<string> | null>();
  /** Members of a value, `self.store`, whose class the function tests or sets: their type depends on the place. */
  readonly #narrowed = new Map<Scope | null, Set<string>>();

  constructor(file: SourceFile) {
    this.#file = file;
    this.#bound = file.bound;
    this.#tree = file.bound.tree;
  }

  read(): { uses: Use[]; comparisons: Comparison[] } {
    const bound = this.#bound;
    const tree = this.#tree;
    this.#noteTests();
    for (let node = 0; node < tree.size; node++) {
      switch (tree.kind(node)) {
        case 'identifier':
          if (!bound.hasMark(node, Mark.label)) this.#reference(node);
          break;
        case 'string':
          if (bound.hasMark(node, Mark.type)) this.#quoted(tree, node, 0, 0, node);
          break;
        case 'call':
          this.#attributeByName(node);
          for (const target of mockTargets(tree, node)) this.#mocked(target);
          this.#callOfSuper(node);
          break;
        case 'function_definition':
          this.#fixtures(node);
          break;
        case 'class_definition':
          this.#modelFields(node);
          break;
        case 'with_item':
          this.#contextManager(node);
          break;
        case 'for_statement':
        case 'for_in_clause':
          this.#iteration(node);
      }
    }
    return { uses: this.#uses, comparisons: this.#comparisons };
  }

  #reference(root: NodeId): void {
    const tree = this.#tree;
    const name = tree.textOf(root);
    const meaning = this.#file.names.meaning(name, this.#bound.scopeAt(root));
    if (meaning.is === 'local') {
      this.#testedUse(root, name);
      return;
    }
    const chain = this.#chainFrom(root);
    const guarded = this.#isGuarded(root, name, chain.path);
    if (meaning.is === 'instance' && isUnionText(meaning.type)) {
      // What follows a member depends on the class that it belongs to.
      if (chain.path.length > 0) this.#firstMember(root, meaning.type, chain, guarded);
      return;
    }
    if (meaning.is === 'instance') {
      this.#keyUse(root, chain, meaning.type);
      this.#compare(root, chain, meaning.type, 'instance');
      if (chain.path.length > 0) this.#instanceUse(root, meaning.type, chain, guarded);
      this.#resultUse(root, [meaning.type, ...chain.path], chain, guarded);
      return;
    }
    const [start, prefix] = this.#start(meaning, name);
    if (meaning.is === 'module-level' || meaning.is === 'imported')
      this.#resultUse(root, [start, ...chain.path], chain, guarded);
    if (chain.path.length === 0) this.#compare(root, chain, meaning.is === 'imported' ? start : name, 'name');
    const path = [...prefix, ...chain.path];
    const isCut = path.length > maxPath;
    this.#emit(root, chain.top, {
      ...(isCut ? read : this.#role(chain.top)),
      root: start,
      rootIs: 'name',
      path: isCut ? path.slice(0, maxPath) : path,
      guarded,
    });
  }

  /** `error.code` below `except AppError as error`, `user.role` below `if isinstance(user, Admin)`. */
  #testedUse(root: NodeId, name: string): void {
    const chain = this.#chainFrom(root);
    const type = chain.path.length === 0 ? null : this.#file.names.testedType(root);
    if (type !== null) this.#instanceUse(root, type, chain, this.#isGuarded(root, name, chain.path));
  }

  /** `job.status == 2`, `Status(2)`. */
  #compare(root: NodeId, chain: Chain, name: string, rootIs: Use['rootIs']): void {
    const literal = chain.path.length > 1 ? null : literalBeside(this.#tree, chain.top);
    if (literal === null) return;
    const start = this.#tree.start(root);
    const line = this.#file.lines.line(start);
    this.#comparisons.push({
      root: name,
      rootIs,
      path: chain.path,
      scope: this.#bound.ownerAt(root),
      literal,
      line,
      column: this.#file.lines.column(start),
      endLine: line,
    });
  }

  /** `context['page']`, `self.row['name']`: a key of a dictionary whose keys may be known. */
  #keyUse(root: NodeId, { path, top }: Chain, type: string): void {
    const tree = this.#tree;
    const read = path.length > 1 ? null : keyRead(tree, top);
    if (read === null) return;
    const around = this.#bound.scopeAt(root).frame;
    const name = [tree.textOf(root), ...path].join('.');
    const known = remembered(this.#givenKeys, `${around.node} ${name}`, () =>
      keysGivenIn(around.kind === 'module' ? tree.text : tree.textOf(around.node), name),
    );
    if (known?.has(read.key) === false) this.#emitKey(root, read, keysOfValue([type, ...path].join('.')));
  }

  #emitKey(root: NodeId, { key, top }: KeyRead, type: string): void {
    this.#emit(root, top, { ...read, root: type, rootIs: 'instance', path: [key], guarded: false });
  }

  /** `find(1).name`: a member of a function's result. */
  #resultUse(root: NodeId, called: readonly string[], chain: Chain, guarded: boolean): void {
    const tree = this.#tree;
    const call = tree.parent(chain.top);
    if (chain.path.length > 1 || tree.kind(call) !== 'call' || tree.field(chain.top) !== 'function') return;
    const { path, top } = this.#chainFrom(call);
    const [member] = path;
    if (member === undefined) {
      const read = keyRead(tree, call);
      if (read !== null) this.#emitKey(root, read, keysOfValue([...called, plainResult].join('.')));
      return;
    }
    this.#emit(root, top, {
      ...(path.length === 1 ? this.#role(top) : read),
      root: [...called, plainResult].join('.'),
      rootIs: 'instance',
      path: [member],
      guarded,
    });
  }

  #firstMember(root: NodeId, type: string, { path, top }: Chain, guarded: boolean): void {
    const use = { root: type, rootIs: 'instance', path: path.slice(0, 1), guarded } as const;
    const isWhole = path.length === 1;
    this.#emit(root, isWhole ? top : this.#tree.parent(root), {
      ...(isWhole ? this.#role(top) : read),
      ...use,
    });
  }

  /** Follows members until one may hold something other than its declared type. */
  #instanceUse(root: NodeId, type: string, chain: Chain, guarded: boolean): void {
    const known = this.#narrowed.get(lookup(this.#tree.textOf(root), this.#bound.scopeAt(root)));
    const dotted = chain.path.map((_, at) =>
      [this.#tree.textOf(root), ...chain.path.slice(0, at + 1)].join('.'),
    );
    const doubtful = known === undefined ? -1 : dotted.findIndex((name) => known.has(name));
    const length = Math.min(maxPath, doubtful < 0 ? chain.path.length : doubtful + 1);
    const isWhole = length === chain.path.length;
    const role = isWhole ? this.#role(chain.top) : read;
    let top = isWhole ? chain.top : root;
    for (let steps = 0; !isWhole && steps < length; steps++) top = this.#tree.parent(top);
    this.#emit(root, top, {
      ...role,
      root: type,
      rootIs: 'instance',
      path: chain.path.slice(0, length),
      guarded,
    });
  }

  /** Follows `root.a.b` outwards; a member that is assigned is not read. */
  #chainFrom(root: NodeId): Chain {
    const tree = this.#tree;
    const path: string[] = [];
    let top = root;
    if (tree.kind(tree.parent(root)) === 'dotted_name') {
      const dotted = tree.parent(root);
      return {
        path: tree
          .children(dotted)
          .slice(1)
          .map((part) => tree.textOf(part)),
        top: dotted,
      };
    }
    for (;;) {
      const parent = tree.parent(top);
      if (tree.kind(parent) !== 'attribute' || tree.field(top) !== 'object') break;
      if (this.#bound.hasMark(parent, Mark.written)) break;
      path.push(tree.textOf(tree.child(parent, 'attribute')));
      top = parent;
    }
    return { path, top };
  }

  /** How the expression is used: called, inherited from, as a decorator, as a type, read. */
  #role(top: NodeId): { kind: Use['kind']; call: CallShape | null } {
    const tree = this.#tree;
    const parent = tree.parent(top);
    const isCallee = tree.kind(parent) === 'call' && tree.field(top) === 'function';
    const outer = isCallee ? tree.parent(parent) : parent;
    if (tree.kind(outer) === 'decorator') {
      return { kind: 'decorator', call: isCallee ? callShape(tree, parent) : null };
    }
    if (this.#bound.hasMark(top, Mark.type | Mark.typeChecking)) return { kind: 'type', call: null };
    if (isCallee) return { kind: 'call', call: callShape(tree, parent) };
    if (this.#isBase(top)) return { kind: 'extends', call: this.#classKeywords(top) };
    return read;
  }

  /** `class Job(Task, queue='mail')`: keyword arguments for the only base. A metaclass may take them instead. */
  #classKeywords(base: NodeId): CallShape | null {
    const tree = this.#tree;
    const list = tree.parent(base);
    if (tree.field(list) !== 'superclasses') return null;
    const shape = callShape(tree, tree.parent(list), 'superclasses');
    const isPlain = shape.positional === 1 && !shape.spread && !shape.keywords.includes('metaclass');
    return isPlain && shape.keywords.length > 0 ? { ...shape, positional: 0 } : null;
  }

  #isBase(top: NodeId): boolean {
    const tree = this.#tree;
    let node = top;
    if (tree.kind(tree.parent(node)) === 'subscript' && tree.field(node) === 'value')
      node = tree.parent(node);
    return tree.field(tree.parent(node)) === 'superclasses';
  }

  #emit(
    root: NodeId,
    top: NodeId,
    use: Pick<Use, 'kind' | 'root' | 'rootIs' | 'path' | 'call' | 'guarded'>,
  ): void {
    const start = this.#tree.start(root);
    const outer = use.call === null || use.kind === 'extends' ? top : this.#tree.parent(top);
    this.#uses.push({
      ...use,
      call: this.#bound.hasMark(root, Mark.misfitting) ? null : use.call,
      typeArguments: null,
      line: this.#file.lines.line(start),
      column: this.#file.lines.column(start),
      endLine: this.#file.lines.line(this.#tree.end(outer)),
      scope: this.#bound.ownerAt(root),
    });
  }

  /** Names in a quoted annotation; strings inside it are quoted annotations again, except in `Literal`. */
  #quoted(tree: SyntaxTree, string: NodeId, base: number, depth: number, place: NodeId): void {
    if (depth > maxQuotes || isPlainText(tree, string)) return;
    const parsed = this.#file.annotations.parseQuoted(tree, string);
    if (parsed === null) return;
    const inner = parsed.tree;
    const offset = base + parsed.offset;
    for (let node = 0; node < inner.size; node++) {
      if (inner.kind(node) === 'string') this.#quoted(inner, node, offset, depth + 1, place);
      if (inner.kind(node) !== 'identifier' || inner.field(node) === 'attribute') continue;
      if (inner.kind(inner.parent(node)) === 'keyword_argument' && inner.field(node) === 'name') continue;
      this.#quotedName(inner, node, offset, place);
    }
  }

  #quotedName(inner: SyntaxTree, node: NodeId, offset: number, place: NodeId): void {
    const name = inner.textOf(node);
    const meaning = this.#file.names.meaning(name, this.#bound.scopeAt(place));
    if (meaning.is !== 'module-level' && meaning.is !== 'unbound') return;
    let top = node;
    while (inner.kind(inner.parent(top)) === 'attribute' && inner.field(top) === 'object')
      top = inner.parent(top);
    const line = this.#file.lines.line(offset + inner.start(node));
    this.#uses.push({
      kind: 'type',
      root: name,
      rootIs: 'name',
      path: (dottedName(inner, top) ?? [name]).slice(1, maxPath + 1),
      call: null,
      typeArguments: null,
      guarded: this.#bound.hasMark(place, Mark.guarded),
      line,
      column: this.#file.lines.column(offset + inner.start(node)),
      endLine: line,
      scope: this.#bound.ownerAt(place),
    });
  }

  /** `getattr(user, 'name')` and `hasattr(user, 'name')` look up a member that may be missing. */
  #attributeByName(call: NodeId): void {
    const test = this.#memberTest(call);
    if (test === null || test.member === null) return;
    const { target, member } = test;
    const name = this.#tree.textOf(target);
    const meaning = this.#file.names.meaning(name, this.#bound.scopeAt(target));
    if (meaning.is === 'local') return;
    const [root, path] = this.#start(meaning, name);
    const rootIs = meaning.is === 'instance' ? 'instance' : 'name';
    this.#emit(target, target, { ...read, root, rootIs, path: [...path, member], guarded: true });
  }

  #fixtures(node: NodeId): void {
    for (const { name } of requestedFixtures(this.#bound, node)) {
      const root = this.#tree.textOf(name);
      this.#emit(name, name, { ...read, root, rootIs: 'fixture', path: [], guarded: false });
    }
  }

  /** The framework looks the field up; a subclass of the model may have it. */
  #modelFields(node: NodeId): void {
    for (const { at, model, name } of modelFields(this.#tree, node)) {
      const from = lookup(model[0] ?? '', this.#bound.scopeAt(node));
      const root = [...model, testedValue].join('.');
      if (from?.kind === 'module')
        this.#emit(at, at, { ...read, root, rootIs: 'instance', path: [name], guarded: false });
    }
  }

  /** The target that a mock replaces must exist. */
  #mocked(target: MockTarget): void {
    const { at } = target;
    const guarded = this.#bound.hasMark(at, Mark.guarded);
    if (target.is === 'text') {
      const split = Math.max(1, target.parts.length - maxPath);
      const root = target.parts.slice(0, split).join('.');
      const path = target.parts.slice(split);
      this.#emit(at, at, { ...read, root, rootIs: 'package', path, guarded });
      return;
    }
    const [name, ...members] = dottedName(this.#tree, at) ?? [];
    if (name === undefined) return;
    const meaning = this.#file.names.meaning(name, this.#bound.scopeAt(at));
    if (meaning.is === 'local' || meaning.is === 'unbound') return;
    const [root, prefix] = this.#start(meaning, name);
    const rootIs = meaning.is === 'instance' ? 'instance' : 'name';
    const path = [...prefix, ...members, target.name];
    if (path.length <= maxPath) this.#emit(at, at, { ...read, root, rootIs, path, guarded });
  }

  #start(meaning: Meaning, name: string): [root: string, path: string[]] {
    if (meaning.is === 'instance') return [meaning.type, []];
    if (meaning.is === 'imported') return [meaning.root, []];
    if (meaning.is !== 'class') return [name, []];
    const [root = name, ...path] = meaning.type.split('.');
    return [root, path];
  }

  #memberTest(call: NodeId): { target: NodeId; member: string | null } | null {
    const tree = this.#tree;
    const callee = tree.child(call, 'function');
    if (tree.kind(callee) !== 'identifier') return null;
    const name = tree.textOf(callee);
    if (name !== 'hasattr' && name !== 'getattr') return null;
    const [target, member] = tree.children(tree.child(call, 'arguments'));
    if (target === undefined || member === undefined || tree.kind(target) !== 'identifier') return null;
    return { target, member: stringValue(tree, member) };
  }

  /** Collects tests before reads are judged, because a test guards the whole function, regardless of order. */
  #noteTests(): void {
    const bound = this.#bound;
    const tree = this.#tree;
    for (const node of bound.calls) {
      const test = this.#memberTest(node);
      if (test !== null && tree.textOf(tree.child(node, 'function')) === 'hasattr') this.#noteTest(test, 0);
      const asked = tree.children(tree.child(node, 'arguments'))[0];
      if (asked !== undefined && asking.has(tree.textOf(tree.child(node, 'function'))))
        this.#noteNarrowing(asked);
    }
    for (const subject of bound.subjects) this.#noteNarrowing(subject);
    for (const { attribute, site } of bound.attributeWrites) {
      const target = tree.child(attribute, 'object');
      this.#noteNarrowing(target);
      this.#noteNarrowing(attribute);
      if (site.form === 'update' || tree.kind(target) !== 'identifier') continue;
      const member = tree.textOf(tree.child(attribute, 'attribute'));
      this.#noteTest({ target, member }, tree.end(site.node));
    }
  }

  #noteNarrowing(expression: NodeId): void {
    const names = this.#tree.kind(expression) === 'attribute' ? dottedName(this.#tree, expression) : null;
    const [root] = names ?? [];
    if (names === null || root === undefined) return;
    const scope = lookup(root, this.#bound.scopeAt(expression));
    const known = this.#narrowed.get(scope) ?? new Set<string>();
    this.#narrowed.set(scope, known.add(names.join('.')));
  }

  #noteTest({ target, member }: { target: NodeId; member: string | null }, from: number): void {
    const name = this.#tree.textOf(target);
    const scope = lookup(name, this.#bound.scopeAt(target));
    const known = this.#tested.get(scope) ?? new Map<string, number>();
    const key = `${name}.${member ?? '*'}`;
    known.set(key, Math.min(from, known.get(key) ?? from));
    this.#tested.set(scope, known);
  }

  #isGuarded(root: NodeId, name: string, path: readonly string[]): boolean {
    if (this.#bound.hasMark(root, Mark.guarded)) return true;
    if (this.#tested.size === 0) return false;
    const tested = this.#tested.get(lookup(name, this.#bound.scopeAt(root)));
    const holdsFrom = Math.min(
      tested?.get(`${name}.${path[0]}`) ?? Infinity,
      tested?.get(`${name}.*`) ?? Infinity,
    );
    return holdsFrom <= this.#tree.start(root);
  }

  /** `super().save(1)` is a call of the only base's method, `super().__init__(1)` of the base itself. */
  #callOfSuper(call: NodeId): void {
    const tree = this.#tree;
    const callee = tree.child(call, 'function');
    if (tree.kind(callee) !== 'attribute') return;
    const receiver = tree.child(callee, 'object');
    if (tree.kind(receiver) !== 'call' || tree.textOf(receiver) !== 'super()') return;
    const base = onlyBase(this.#bound, this.#bound.scopeAt(call));
    if (base === null) return;
    const method = tree.textOf(tree.child(callee, 'attribute'));
    const [root = base, ...path] = base.split('.');
    const target =
      method === '__init__'
        ? ({ root, rootIs: 'name', path } as const)
        : ({ root: base, rootIs: 'instance', path: [method] } as const);
    const guarded = this.#bound.hasMark(call, Mark.guarded);
    this.#emit(receiver, callee, { ...target, kind: 'call', call: callShape(tree, call), guarded });
  }

  /** `with X() as y` calls `__enter__` and `__exit__` of its argument. */
  #contextManager(item: NodeId): void {
    const tree = this.#tree;
    let value = tree.child(item, 'value');
    if (tree.kind(value) === 'as_pattern') value = tree.firstChild(value);
    const statement = tree.parent(tree.parent(item));
    const isAsync = tree.text.startsWith('async', tree.start(statement));
    this.#implicitMembers(value, isAsync ? ['__aenter__', '__aexit__'] : ['__enter__', '__exit__']);
  }

  #iteration(loop: NodeId): void {
    const tree = this.#tree;
    const isAsync = tree.text.startsWith('async', tree.start(loop));
    this.#implicitMembers(tree.child(loop, 'right'), [isAsync ? '__aiter__' : '__iter__']);
  }

  #implicitMembers(value: NodeId, members: readonly string[]): void {
    const type = this.#instanceType(value);
    if (type === null) return;
    const guarded = this.#bound.hasMark(value, Mark.guarded);
    for (const member of members) {
      this.#emit(value, value, { ...read, root: type, rootIs: 'instance', path: [member], guarded });
    }
  }

  #instanceType(value: NodeId): string | null {
    const tree = this.#tree;
    if (value === none) return null;
    if (tree.kind(value) !== 'identifier') return this.#file.names.constructedType(value);
    const meaning = this.#file.names.meaning(tree.textOf(value), this.#bound.scopeAt(value));
    return meaning.is === 'instance' ? meaning.type : null;
  }
}

/** Functions that test the class or the members of a value instead of assuming them. */
const asking = new Set([
  'isinstance',
  'issubclass',
  'type',
  'callable',
  'setattr',
  'vars',
  'hasattr',
  'getattr',
]);

const read = { kind: 'read', call: null } as const;

/** A string in an annotation that is not a type: the values of `Literal`, the metadata of `Annotated`. */
function isPlainText(tree: SyntaxTree, string: NodeId): boolean {
  let inner = string;
  for (let node = tree.parent(string); node !== none; node = tree.parent(node)) {
    const kind = tree.kind(node);
    if (kind === 'call') return true;
    if (kind === 'generic_type' || kind === 'subscript') {
      const head = dottedName(tree, tree.firstChild(node))?.at(-1);
      if (head === 'Literal') return true;
      if (head === 'Annotated' && subscriptArguments(tree, node)[0] !== inner) return true;
    }
    if (kind === 'type' && tree.kind(tree.parent(node)) !== 'type_parameter') return false;
    if (kind !== 'type_parameter') inner = node;
  }
  return false;
}
