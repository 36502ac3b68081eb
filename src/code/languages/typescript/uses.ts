import type { CallShape, Use } from '../../facts.ts';
import { callShape } from './calls.ts';
import { type Chain, chainFrom, isCondition, isWritten } from './chains.ts';
import { thisOwner } from './class-context.ts';
import type { DefinitionPaths } from './definition-paths.ts';
import { isGlobal } from './globals.ts';
import { Instances } from './instances.ts';
import { Narrowing, type Receiver } from './narrowing.ts';
import type { Placed } from './placement.ts';
import { childIn, childrenIn, dottedName, has, type Reading } from './reading.ts';
import { type Binding, type Scope, TYPE, VALUE } from './scopes.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';
import { memberName } from './types.ts';

/** Where an expression starts. */
interface Root {
  readonly root: string;
  readonly rootIs: Use['rootIs'];
  /** Members between `root` and the expression: a member of namespace `A` is root `A`, prefix `['member']`. */
  readonly prefix: readonly string[];
  /** The variable or field it was read from: when its type turns out to be narrowed, its uses are dropped. */
  readonly receiver: Receiver | null;
  /** Nothing in the file binds the name. */
  readonly isUnbound: boolean;
}

const NOTHING: readonly string[] = [];
const LONGEST_PATH = 4;

const NONE = 0;
const REFERENCE = 1;
const THIS = 2;
const SUPER = 3;
const PATTERN = 4;

const concerns = kindTable([Kind.Reference], REFERENCE);
concerns[Kind.This] = THIS;
concerns[Kind.Super] = SUPER;
concerns[Kind.ObjectPattern] = PATTERN;

export function readUses(
  reading: Reading,
  placed: readonly Placed[],
  paths: DefinitionPaths,
  loaded: ReadonlySet<number>,
): Use[] {
  return new UseReader(reading, placed, paths, loaded).run();
}

class UseReader {
  readonly #reading: Reading;
  readonly #placed: readonly Placed[];
  readonly #paths: DefinitionPaths;
  readonly #loaded: ReadonlySet<number>;
  readonly #instances: Instances;
  readonly #narrowing: Narrowing;
  readonly #uses: Use[] = [];
  /** For each use, what it was read from. */
  readonly #receivers: (Receiver | null)[] = [];
  /** `root.member` paths whose existence the file tests. */
  readonly #tested = new Set<string>();
  /** The binding each name has at the current node, by space, and what the scopes around had. */
  readonly #values: (Binding | undefined)[];
  readonly #types: (Binding | undefined)[];
  readonly #shadowed: (Binding | undefined)[] = [];
  /** The definitions around the current node, and the path of the innermost. */
  readonly #around: Placed[] = [];
  #nextPlaced = 0;
  #scope = '';

  constructor(
    reading: Reading,
    placed: readonly Placed[],
    paths: DefinitionPaths,
    loaded: ReadonlySet<number>,
  ) {
    this.#reading = reading;
    this.#placed = placed;
    this.#paths = paths;
    this.#loaded = loaded;
    this.#instances = new Instances(reading, placed);
    this.#narrowing = new Narrowing(reading);
    this.#values = new Array(reading.names.count);
    this.#types = new Array(reading.names.count);
  }

  run(): Use[] {
    const { kind, after, count } = this.#reading.tree;
    const scopes = this.#reading.scopes.all;
    let scope = scopes[0] as Scope;
    let nextScope = 1;
    this.#enter(scope);
    for (let node = 1; node < count; node++) {
      const concern = concerns[kind[node] as number];
      if (concern === NONE) continue;
      // Scopes and definitions are caught up with only where something depends on them.
      for (; nextScope < scopes.length && (scopes[nextScope] as Scope).node < node; nextScope++) {
        const next = scopes[nextScope] as Scope;
        if ((after[next.node] as number) <= node || next.bindings.length === 0) continue;
        scope = this.#leaveUntil(scope, next.node);
        this.#enter(next);
        scope = next;
      }
      scope = this.#leaveUntil(scope, node);
      this.#catchUp(node);
      if (concern === REFERENCE) this.#reference(node);
      else if (concern === THIS) this.#this(node);
      else if (concern === SUPER) this.#super(node);
      else this.#annotatedPattern(node);
    }
    return this.#settled();
  }

  /** Leaves the scopes that ended before `node`. Scopes without bindings were never entered. */
  #leaveUntil(from: Scope, node: number): Scope {
    const { after } = this.#reading.tree;
    let scope = from;
    while (node >= (after[scope.node] as number)) {
      this.#leave(scope);
      scope = scope.parent as Scope;
      while (scope.bindings.length === 0 && scope.parent !== null) scope = scope.parent;
    }
    return scope;
  }

  /** Moves on to the definition around `node`. */
  #catchUp(node: number): void {
    const { after } = this.#reading.tree;
    const placed = this.#placed;
    for (; this.#nextPlaced < placed.length; this.#nextPlaced++) {
      const next = placed[this.#nextPlaced] as Placed;
      if (next.node > node) break;
      if ((after[next.node] as number) <= node) continue;
      while (this.#around.length > 0 && next.node >= (after[(this.#around.at(-1) as Placed).node] as number))
        this.#around.pop();
      // Of several names of one pattern the first stands for all of them.
      if (this.#around.at(-1)?.node !== next.node) this.#around.push(next);
    }
    while (this.#around.length > 0 && node >= (after[(this.#around.at(-1) as Placed).node] as number))
      this.#around.pop();
    this.#scope = this.#around.at(-1)?.path ?? '';
  }

  #enter(scope: Scope): void {
    for (const binding of scope.bindings) {
      const { name, space } = binding;
      this.#shadowed.push(this.#values[name], this.#types[name]);
      if ((space & VALUE) !== 0) this.#values[name] = binding;
      if ((space & TYPE) !== 0) this.#types[name] = binding;
    }
  }

  #leave(scope: Scope): void {
    for (let i = scope.bindings.length - 1; i >= 0; i--) {
      const { name } = scope.bindings[i] as Binding;
      this.#types[name] = this.#shadowed.pop();
      this.#values[name] = this.#shadowed.pop();
    }
  }

  #reference(node: number): void {
    const { tree, scopes, names } = this.#reading;
    const above = tree.kind[tree.parent[node] as number];
    // What is exported is an export, not a use.
    if (above === Kind.ExportName || above === Kind.ExportDefault) return;
    const name = scopes.nameOf[node] as number;
    const binding = this.#lookUp(name, above);
    if (binding === undefined) {
      const root = names.text(name);
      if (!isGlobal(root) && !scopes.declaredGlobals.has(name))
        this.#named(node, { ...named(root), isUnbound: true });
      return;
    }
    const { container } = binding;
    if (container !== null) this.#named(node, named(names.text(name), container));
    else if (this.#loaded.size > 0 && this.#loaded.has(binding.node))
      this.#named(node, named(names.text(name)));
    if (above !== Kind.TypeReference) this.#value(node, binding);
  }

  #lookUp(name: number, above: number | undefined): Binding | undefined {
    if (above === Kind.TypeReference || above === Kind.Implements || above === Kind.Heritage)
      return this.#types[name];
    if (above === Kind.QualifiedName || above === Kind.ImportEquals)
      return this.#values[name] ?? this.#types[name];
    return this.#values[name];
  }

  /** A member read from a variable or parameter whose type is known. */
  #value(node: number, binding: Binding): void {
    const type = this.#instances.ofBinding(binding);
    if (type === null) return;
    const chain = chainFrom(this.#reading, node);
    const written = isWritten(this.#reading, chain.top);
    if (chain.top === node && written && !this.#instances.isAnnotated(binding))
      this.#narrowing.doubt(binding);
    this.#narrowing.see(chain.top, node, binding);
    if (written && this.#reading.dialect === 'js') return;
    this.#members(node, chain, instance(type, binding));
  }

  #this(node: number): void {
    const { tree } = this.#reading;
    const owner = thisOwner(tree, node);
    const path = owner === null ? undefined : this.#paths.ofClass(owner.classNode);
    if (owner === null || path === undefined) return;
    const chain = chainFrom(this.#reading, node);
    const isRead = !isWritten(this.#reading, chain.top);
    if (owner.isStatic) {
      if (isRead && chain.path.length > 0) this.#named(node, named(path));
      return;
    }
    const first = chain.path[0];
    const type = first === undefined ? null : this.#instances.ofField(path, first);
    if (first === undefined || type === null || chain.path.length === 1) {
      if (isRead) this.#members(node, chain, instance(path, null));
      if (type === null) return;
      // The field itself: it may be narrowed, or taken apart.
      this.#narrowing.see(chain.top, chain.top, `${path}.${first}`);
      this.#patternKeys(chain.top, instance(type, `${path}.${first}`), NOTHING);
      return;
    }
    const member = tree.parent[node] as number;
    this.#add(node, member, instance(path, null), [first], 'read', null, false);
    const rest = { ...chain, path: chain.path.slice(1) };
    this.#members(node, rest, instance(type, `${path}.${first}`));
  }

  /** `super(…)` constructs the base class, `super.member` reads from it. */
  #super(node: number): void {
    const { tree } = this.#reading;
    const owner = thisOwner(tree, node);
    const superclass = owner === null ? -1 : childIn(tree, owner.classNode, Role.super);
    const base = superclass < 0 ? null : dottedName(this.#reading, superclass);
    if (owner === null || base === null || !this.#isModuleLevel(base)) return;
    const chain = chainFrom(this.#reading, node);
    if (tree.role[node] === Role.callee) {
      const call = tree.parent[node] as number;
      const root = named(base);
      this.#add(node, call, root, root.prefix, 'new', callShape(this.#reading, call), false);
    } else if (owner.isStatic) this.#named(node, named(base));
    else this.#members(node, chain, instance(base, null));
  }

  #isModuleLevel(dotted: string): boolean {
    const [root = ''] = dotted.split('.', 1);
    const name = this.#reading.names.of(root);
    if (this.#reading.scopes.boundLocally.has(name)) return false;
    return this.#values[name] !== undefined || !isGlobal(root);
  }

  /** `({ name }: Props) => …` and `const { name }: Props = …` read members of the annotated type. */
  #annotatedPattern(node: number): void {
    const { tree } = this.#reading;
    const origin = tree.parent[node] as number;
    if (tree.kind[origin] !== Kind.Parameter && tree.kind[origin] !== Kind.Variable) return;
    const type = this.#instances.ofAnnotation(childIn(tree, origin, Role.type));
    if (type !== null) this.#keys(node, instance(type, null), NOTHING);
  }

  #named(node: number, root: Root): void {
    const chain = chainFrom(this.#reading, node);
    this.#emit(node, chain, root);
    this.#patternKeys(chain.top, root, chain.path);
  }

  /** Only member reads of an instance are uses: the variable itself is a local. */
  #members(node: number, chain: Chain, root: Root): void {
    if (chain.path.length > 0) this.#emit(node, chain, root);
    this.#patternKeys(chain.top, root, chain.path);
  }

  #emit(node: number, chain: Chain, root: Root): void {
    const reading = this.#reading;
    const { tree } = reading;
    const above = tree.parent[chain.top] as number;
    const path =
      root.prefix.length === 0 ? chain.path : [...root.prefix, ...chain.path].slice(0, LONGEST_PATH);
    const kind = chain.isCut ? 'read' : this.#kindOf(chain.top, above);
    const isCalled =
      kind === 'call' || kind === 'new' || (kind === 'decorator' && tree.kind[above] === Kind.Call);
    let guarded = kind === 'call' && has(tree, above, Flag.optional);
    if (root.rootIs === 'name') {
      guarded ||= chain.testsMember;
      if (this.#testsExistence(chain, root)) {
        guarded = true;
        this.#tested.add(path.length === 0 ? root.root : `${root.root}.${path.join('.')}`);
      }
    }
    this.#add(
      node,
      isCalled ? above : chain.top,
      root,
      path,
      kind,
      isCalled ? callShape(reading, above) : null,
      guarded,
    );
  }

  /** `whole` is the node of the whole construct, `node` where it starts. */
  #add(
    node: number,
    whole: number,
    root: Root,
    path: readonly string[],
    kind: Use['kind'],
    call: CallShape | null,
    guarded: boolean,
  ): void {
    const { tree, lines } = this.#reading;
    const start = tree.start[node] as number;
    this.#receivers.push(root.receiver);
    this.#uses.push({
      kind,
      root: root.root,
      rootIs: root.rootIs,
      path,
      line: lines.line(start),
      column: lines.column(start),
      endLine: lines.line((tree.end[whole] as number) - 1),
      scope: this.#scope,
      call,
      guarded,
    });
  }

  #kindOf(top: number, above: number): Use['kind'] {
    const { tree } = this.#reading;
    switch (tree.kind[above]) {
      case Kind.Call:
        if (tree.role[top] !== Role.callee) return 'read';
        return tree.kind[tree.parent[above] as number] === Kind.Decorator ? 'decorator' : 'call';
      case Kind.New:
        return tree.role[top] === Role.callee ? 'new' : 'read';
      case Kind.Decorator:
        return 'decorator';
      case Kind.Class:
        return tree.role[top] === Role.super ? 'extends' : 'read';
      case Kind.JsxOpening:
        return tree.role[top] === Role.jsxName ? 'jsx' : 'read';
      case Kind.TypeReference:
      case Kind.TypeQuery:
        return 'type';
      case Kind.Heritage:
        return 'extends';
      case Kind.Implements:
        return 'implements';
      default:
        return 'read';
    }
  }

  /** `typeof x`, `if (ns.member)`: uses of the same thing elsewhere in the file count as tested too. */
  #testsExistence(chain: Chain, root: Root): boolean {
    const { tree } = this.#reading;
    const above = tree.parent[chain.top] as number;
    if (tree.kind[above] === Kind.Unary && has(tree, above, Flag.typeof)) return true;
    return (chain.path.length > 0 || root.isUnbound) && isCondition(this.#reading, chain.top);
  }

  /** `const { a } = ns`: each key is a member read from what is taken apart. */
  #patternKeys(top: number, root: Root, path: readonly string[]): void {
    const { tree } = this.#reading;
    const above = tree.parent[top] as number;
    let pattern = -1;
    if (tree.kind[above] === Kind.Variable && tree.role[top] === Role.init)
      pattern = childIn(tree, above, Role.id);
    else if (tree.kind[above] === Kind.Assignment && tree.role[top] === Role.right) pattern = above + 1;
    if (
      pattern < 0 ||
      (tree.kind[pattern] !== Kind.ObjectPattern && tree.kind[pattern] !== Kind.ObjectTarget)
    )
      return;
    this.#keys(pattern, root, [...root.prefix, ...path]);
  }

  #keys(pattern: number, root: Root, before: readonly string[]): void {
    const { tree, names } = this.#reading;
    if (before.length >= LONGEST_PATH) return;
    for (const property of childrenIn(tree, pattern, Role.member)) {
      const isShorthandTarget = tree.kind[property] === Kind.TargetShorthand;
      const key = isShorthandTarget ? property + 1 : childIn(tree, property, Role.key);
      const name = isShorthandTarget ? names.ofNode(tree, key) : memberName(this.#reading, property);
      if (name === null) continue;
      let value = isShorthandTarget ? property : childIn(tree, property, Role.value);
      const hasDefault = tree.kind[value] === Kind.PatternDefault || tree.kind[value] === Kind.TargetDefault;
      if (hasDefault) value++;
      const path = [...before, name];
      this.#add(key, key, root, path, 'read', null, hasDefault && root.rootIs === 'name');
      if (tree.kind[value] === Kind.ObjectPattern || tree.kind[value] === Kind.ObjectTarget)
        this.#keys(value, root, path);
    }
  }

  /** Uses that stayed certain, with those marked whose existence is tested somewhere in the file. */
  #settled(): Use[] {
    const narrowing = this.#narrowing;
    const tested = this.#tested;
    if (narrowing.isEmpty && tested.size === 0) return this.#uses;
    const uses: Use[] = [];
    for (let i = 0; i < this.#uses.length; i++) {
      const use = this.#uses[i] as Use;
      const receiver = this.#receivers[i] as Receiver | null;
      if (receiver !== null && narrowing.isDoubtful(receiver)) continue;
      uses.push(
        use.rootIs === 'name' && !use.guarded && isTested(use, tested) ? { ...use, guarded: true } : use,
      );
    }
    return uses;
  }
}

function isTested(use: Use, tested: ReadonlySet<string>): boolean {
  let key = use.root;
  if (tested.has(key)) return true;
  for (const member of use.path) {
    key += `.${member}`;
    if (tested.has(key)) return true;
  }
  return false;
}

/** A name of the module, or of a namespace of it: `A.b` is root `A`, member `b`. */
function named(name: string, container = ''): Root {
  if (container === '' && !name.includes('.')) {
    return { root: name, rootIs: 'name', prefix: NOTHING, receiver: null, isUnbound: false };
  }
  const [root = '', ...prefix] = (container === '' ? name : `${container}.${name}`).split('.');
  return { root, rootIs: 'name', prefix, receiver: null, isUnbound: false };
}

function instance(type: string, receiver: Receiver | null): Root {
  return { root: type, rootIs: 'instance', prefix: NOTHING, receiver, isUnbound: false };
}
