import type { CallShape, Use } from '../../facts.ts';
import { callShape } from './calls.ts';
import { type Chain, chainFrom, isCondition, isWritten } from './chains.ts';
import { thisOwner } from './class-context.ts';
import type { DefinitionPaths } from './definition-paths.ts';
import { isGlobal } from './globals.ts';
import { Instances } from './instances.ts';
import type { Placed } from './placement.ts';
import { childIn, childrenIn, dottedName, has, type Reading } from './reading.ts';
import { type Binding, type Scope, TYPE, VALUE } from './scopes.ts';
import { Flag, Kind, Role } from './tree/grammar.ts';
import { memberName } from './types.ts';

/** Where an expression starts, and what makes that doubtful. */
interface Root {
  readonly root: string;
  readonly rootIs: Use['rootIs'];
  /** Members between `root` and the expression: `['user']` for a value that was taken from `root.user`. */
  readonly prefix: readonly string[];
  /** A variable or field that later turns out to be narrowed or reassigned takes its uses with it. */
  readonly receiver: Binding | string | null;
  /** Nothing in the file binds the name. */
  readonly isUnbound: boolean;
}

interface Pending {
  readonly use: Use;
  readonly receiver: Binding | string | null;
}

/** Calls that may tell the compiler more about their argument than its annotation does. */
const NARROWING_CALL = /^(?:is|has|can|assert|ensure|invariant|check|verify|validate|expect|guard|must)/i;

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
  readonly #pending: Pending[] = [];
  readonly #doubtful = new Set<Binding | string>();
  /** `root.member` paths whose existence the file tests. */
  readonly #tested = new Set<string>();
  /** The binding each name has at the current node, by space, and how to go back to the scope around. */
  readonly #values: (Binding | undefined)[];
  readonly #types: (Binding | undefined)[];
  readonly #shadowed: (Binding | undefined)[] = [];
  #definition = '';

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
    this.#values = new Array(reading.names.count);
    this.#types = new Array(reading.names.count);
  }

  run(): Use[] {
    const { tree, scopes } = this.#reading;
    const { kind, after, count } = tree;
    const open: Scope[] = [];
    const around: { after: number; path: string }[] = [];
    let scope: Scope | undefined;
    let nextScope = 0;
    let nextPlaced = 0;
    let definitionEnd = count;
    for (let node = 0; node < count; node++) {
      while (scope !== undefined && node >= (after[scope.node] as number)) {
        this.#leave(scope);
        scope = open.pop();
      }
      while (node >= definitionEnd)
        ({ after: definitionEnd, path: this.#definition } = around.pop() as { after: number; path: string });
      while (this.#placed[nextPlaced]?.node === node) {
        if ((after[node] as number) !== definitionEnd || this.#paths.of(node) !== this.#definition) {
          around.push({ after: definitionEnd, path: this.#definition });
          definitionEnd = after[node] as number;
          this.#definition = this.#paths.of(node) as string;
        }
        nextPlaced++;
      }
      if (scopes.all[nextScope]?.node === node) {
        if (scope !== undefined) open.push(scope);
        scope = scopes.all[nextScope++] as Scope;
        this.#enter(scope);
      }
      const nodeKind = kind[node];
      if (nodeKind === Kind.Reference) this.#reference(node);
      else if (nodeKind === Kind.This) this.#this(node);
      else if (nodeKind === Kind.Super) this.#super(node);
      else if (nodeKind === Kind.ObjectPattern) this.#annotatedPattern(node);
    }
    return this.#settled();
  }

  #enter(scope: Scope): void {
    for (const binding of scope.bindings) {
      this.#shadowed.push(this.#values[binding.name], this.#types[binding.name]);
      if ((binding.space & VALUE) !== 0) this.#values[binding.name] = binding;
      if ((binding.space & TYPE) !== 0) this.#types[binding.name] = binding;
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
      if (!isGlobal(root) && !this.#isDeclaredGlobal(name)) {
        this.#chain(node, { root, rootIs: 'name', prefix: [], receiver: null, isUnbound: true });
      }
      return;
    }
    const container = (scopes.all[binding.scope] as Scope).container;
    if (container !== null || this.#loaded.has(binding.node)) {
      this.#chain(node, {
        ...rootOf(container ?? '', names.text(name)),
        rootIs: 'name',
        receiver: null,
        isUnbound: false,
      });
    }
    if ((binding.space & VALUE) !== 0 && above !== Kind.TypeReference) this.#value(node, binding);
  }

  /** A member read from a variable or parameter whose type is known. */
  #value(node: number, binding: Binding): void {
    const type = this.#instances.ofBinding(binding);
    if (type === null) return;
    const chain = chainFrom(this.#reading, node);
    if (chain.top === node) {
      if (
        this.#mayNarrow(node) ||
        (isWritten(this.#reading, node) && !this.#instances.isAnnotated(binding))
      ) {
        this.#doubtful.add(binding);
      }
    }
    if (isWritten(this.#reading, chain.top) && this.#reading.dialect === 'js') return;
    this.#members(node, chain, {
      root: type,
      rootIs: 'instance',
      prefix: [],
      receiver: binding,
      isUnbound: false,
    });
  }

  #this(node: number): void {
    const { tree } = this.#reading;
    const owner = thisOwner(tree, node);
    const path = owner === null ? undefined : this.#paths.ofClass(owner.classNode);
    if (owner === null || path === undefined) return;
    const chain = chainFrom(this.#reading, node);
    const [first, ...rest] = chain.path;
    if (owner.isStatic) {
      if (first !== undefined && !isWritten(this.#reading, chain.top)) {
        this.#chain(node, { ...rootOf('', path), rootIs: 'name', receiver: null, isUnbound: false });
      }
      return;
    }
    const root: Root = { root: path, rootIs: 'instance', prefix: [], receiver: null, isUnbound: false };
    const type = first === undefined ? null : this.#instances.ofField(path, first);
    if (first === undefined || type === null) {
      if (first === undefined || !isWritten(this.#reading, chain.top)) this.#members(node, chain, root);
      return;
    }
    const receiver = `${path}.${first}`;
    if (rest.length === 0) {
      if (this.#mayNarrow(chain.top)) this.#doubtful.add(receiver);
      if (!isWritten(this.#reading, chain.top)) this.#members(node, chain, root);
      this.#patternKeys(chain.top, {
        root: type,
        rootIs: 'instance',
        prefix: [],
        receiver,
        isUnbound: false,
      });
      return;
    }
    const member = tree.parent[node] as number;
    this.#add(node, { ...chain, path: [first], top: member }, root, 'read', null, false);
    this.#members(node, { ...chain, path: rest }, { ...root, root: type, receiver });
  }

  /** `super(…)` constructs the base class, `super.member` reads from it. */
  #super(node: number): void {
    const { tree } = this.#reading;
    const owner = thisOwner(tree, node);
    const superclass = owner === null ? -1 : childIn(tree, owner.classNode, Role.super);
    const base = superclass < 0 ? null : dottedName(this.#reading, superclass);
    if (owner === null || base === null || !this.#isModuleLevel(base)) return;
    const isConstructor = tree.role[node] === Role.callee;
    if (isConstructor || owner.isStatic) {
      const root: Root = { ...rootOf('', base), rootIs: 'name', receiver: null, isUnbound: false };
      const chain = chainFrom(this.#reading, node);
      if (isConstructor)
        this.#add(node, chain, root, 'new', callShape(this.#reading, tree.parent[node] as number), false);
      else this.#chain(node, root);
    } else {
      const root: Root = { root: base, rootIs: 'instance', prefix: [], receiver: null, isUnbound: false };
      this.#members(node, chainFrom(this.#reading, node), root);
    }
  }

  /** `({ name }: Props) => …` and `const { name }: Props = …` read members of the annotated type. */
  #annotatedPattern(node: number): void {
    const { tree } = this.#reading;
    const origin = tree.parent[node] as number;
    if (tree.kind[origin] !== Kind.Parameter && tree.kind[origin] !== Kind.Variable) return;
    const type = this.#instances.ofAnnotation(childIn(tree, origin, Role.type));
    if (type !== null)
      this.#keys(node, { root: type, rootIs: 'instance', prefix: [], receiver: null, isUnbound: false }, []);
  }

  /** Only member reads of an instance are uses: the variable itself is a local. */
  #members(node: number, chain: Chain, root: Root): void {
    if (chain.path.length > 0) this.#emit(node, chain, root);
    this.#patternKeys(chain.top, { ...root, prefix: chain.path });
  }

  #chain(node: number, root: Root): void {
    const chain = chainFrom(this.#reading, node);
    this.#emit(node, chain, root);
    this.#patternKeys(chain.top, { ...root, prefix: [...root.prefix, ...chain.path] });
  }

  #emit(node: number, chain: Chain, root: Root): void {
    const reading = this.#reading;
    const { tree } = reading;
    const above = tree.parent[chain.top] as number;
    const kind = chain.isCut ? 'read' : this.#kindOf(chain.top, above);
    const isCall =
      kind === 'call' || kind === 'new' || (kind === 'decorator' && tree.kind[above] === Kind.Call);
    const isOptionalCall = kind === 'call' && has(tree, above, Flag.optional);
    const isTest = root.rootIs === 'name' && this.#testsExistence(chain, root);
    if (isTest) this.#tested.add([root.root, ...root.prefix, ...chain.path].join('.'));
    const guarded = isOptionalCall || isTest || (chain.testsMember && root.rootIs === 'name');
    this.#add(node, chain, root, kind, isCall ? callShape(reading, above) : null, guarded);
  }

  #add(
    node: number,
    chain: Chain,
    root: Root,
    kind: Use['kind'],
    call: CallShape | null,
    guarded: boolean,
  ): void {
    const { tree, lines } = this.#reading;
    const start = tree.start[node] as number;
    const last = call === null ? chain.top : (tree.parent[chain.top] as number);
    const line = lines.line(start);
    this.#pending.push({
      receiver: root.receiver,
      use: {
        kind,
        root: root.root,
        rootIs: root.rootIs,
        path: root.prefix.length === 0 ? chain.path : [...root.prefix, ...chain.path].slice(0, 4),
        line,
        column: lines.column(start),
        endLine: lines.line((tree.end[last] as number) - 1),
        scope: this.#definition,
        call,
        guarded,
      },
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
  #patternKeys(top: number, root: Root): void {
    const { tree } = this.#reading;
    const above = tree.parent[top] as number;
    if (tree.kind[above] === Kind.Variable && tree.role[top] === Role.init) {
      const id = childIn(tree, above, Role.id);
      if (tree.kind[id] === Kind.ObjectPattern) this.#keys(id, root, root.prefix);
    } else if (tree.kind[above] === Kind.Assignment && tree.role[top] === Role.right) {
      if (tree.kind[above + 1] === Kind.ObjectTarget) this.#keys(above + 1, root, root.prefix);
    }
  }

  #keys(pattern: number, root: Root, prefix: readonly string[]): void {
    const { tree } = this.#reading;
    for (const property of childrenIn(tree, pattern, Role.member)) {
      const isShorthandTarget = tree.kind[property] === Kind.TargetShorthand;
      const key = isShorthandTarget ? property + 1 : childIn(tree, property, Role.key);
      const name = isShorthandTarget
        ? this.#reading.names.ofNode(tree, key)
        : memberName(this.#reading, property);
      if (name === null) continue;
      let value = isShorthandTarget ? property : childIn(tree, property, Role.value);
      const hasDefault = tree.kind[value] === Kind.PatternDefault || tree.kind[value] === Kind.TargetDefault;
      if (hasDefault) value++;
      const path = [...prefix, name];
      const chain: Chain = { path: [name], top: key, isCut: false, testsMember: false };
      this.#add(key, chain, { ...root, prefix }, 'read', null, hasDefault && root.rootIs === 'name');
      if (tree.kind[value] === Kind.ObjectPattern || tree.kind[value] === Kind.ObjectTarget)
        this.#keys(value, root, path);
    }
  }

  #lookUp(name: number, above: number | undefined): Binding | undefined {
    if (above === Kind.TypeReference || above === Kind.Implements || above === Kind.Heritage)
      return this.#types[name];
    if (above === Kind.QualifiedName || above === Kind.ImportEquals)
      return this.#values[name] ?? this.#types[name];
    return this.#values[name];
  }

  /** What an `if` or an assertion may turn into another type than the annotation says. */
  #mayNarrow(node: number): boolean {
    const { tree } = this.#reading;
    const above = tree.parent[node] as number;
    const role = tree.role[node];
    if (tree.kind[above] === Kind.Binary) {
      return (
        (role === Role.right && has(tree, above, Flag.in)) ||
        (role === Role.left && has(tree, above, Flag.instanceof))
      );
    }
    if (tree.kind[above] !== Kind.Call || role !== Role.argument) return false;
    if (isCondition(this.#reading, above)) return true;
    const callee = dottedName(this.#reading, above + 1) ?? '';
    return NARROWING_CALL.test(callee.slice(callee.lastIndexOf('.') + 1));
  }

  #isModuleLevel(dotted: string): boolean {
    const name = this.#reading.names.of(dotted.split('.', 1)[0] as string);
    return (
      this.#reading.scopes.boundLocally[name] !== 1 &&
      !(this.#values[name] === undefined && isGlobal(dotted.split('.', 1)[0] as string))
    );
  }

  #isDeclaredGlobal(name: number): boolean {
    return this.#reading.scopes.declaredGlobals.has(name);
  }

  /** Uses that stayed certain, with those marked whose existence is tested somewhere in the file. */
  #settled(): Use[] {
    const uses: Use[] = [];
    for (const { use, receiver } of this.#pending) {
      if (receiver !== null && this.#doubtful.has(receiver)) continue;
      uses.push(
        this.#tested.size > 0 && !use.guarded && use.rootIs === 'name' && this.#isTested(use)
          ? { ...use, guarded: true }
          : use,
      );
    }
    return uses;
  }

  #isTested(use: Use): boolean {
    let key = use.root;
    if (this.#tested.has(key)) return true;
    for (const member of use.path) {
      key += `.${member}`;
      if (this.#tested.has(key)) return true;
    }
    return false;
  }
}

/** A member of a namespace is reached through the namespace: `A.b` is root `A`, member `b`. */
function rootOf(container: string, name: string): { root: string; prefix: readonly string[] } {
  if (container === '' && !name.includes('.')) return { root: name, prefix: [] };
  const [root = '', ...prefix] = (container === '' ? name : `${container}.${name}`).split('.');
  return { root, prefix };
}
