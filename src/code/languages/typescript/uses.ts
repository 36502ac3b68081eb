import type { Comparison, Use } from '#code/facts/facts.ts';
import {
  awaitedResult,
  elementOf,
  givenParameter,
  heldValue,
  plainResult,
  testedValue,
} from '#code/languages/shared/results.ts';
import { passesElement, passesElements } from '#code/languages/shared/type-text.ts';
import { isPromiseMethod } from './call-results.ts';
import { copiedInto, loopVariables, mayNarrow, parametersGiven } from './callbacks.ts';
import { callShape } from './calls.ts';
import { type Chain, chainFrom, isCondition, isWritten, longestPath } from './chains.ts';
import type { DefinitionPaths } from './definition-paths.ts';
import { expectedCall } from './expectations.ts';
import { GivenKeys } from './given-keys.ts';
import { Instances } from './instances.ts';
import { jsxShape } from './jsx-attributes.ts';
import { LiteralList } from './literal-list.ts';
import { Mocks } from './mocks.ts';
import { Narrowing } from './narrowing.ts';
import type { Placed } from './placement.ts';
import { Position } from './position.ts';
import { typeOfState } from './react.ts';
import { childIn, childrenIn, countIn, dottedName, has, type Reading } from './reading.ts';
import type { Binding } from './scopes.ts';
import { Flag, Kind, kindTable, Role } from './tree/grammar.ts';
import { castToAny, memberName } from './types.ts';
import { castRoot, instanceRoot, nameRoot, plainRoot, type Root, UseList } from './use-list.ts';
import { elementOfWritten, isContainer, isFollowed, mostSteps, valuePath } from './value-path.ts';
import { visible } from './visible.ts';
import { WrittenTypes } from './written-types.ts';

const noMembers: readonly string[] = [];

const noConcern = 0;
const referenceConcern = 1;
const thisConcern = 2;
const superConcern = 3;
const patternConcern = 4;
const objectConcern = 5;

const concerns = kindTable([Kind.Reference], referenceConcern);
concerns[Kind.This] = thisConcern;
concerns[Kind.Super] = superConcern;
concerns[Kind.ObjectPattern] = patternConcern;
concerns[Kind.Object] = objectConcern;

interface ReadUses {
  readonly uses: Use[];
  readonly comparisons: Comparison[];
  /** Names of the module that get members by assignment: `A.prototype.m = …`, `config.key = …` in JavaScript. */
  readonly extended: ReadonlySet<string>;
}

/** All uses of names of the module, of unbound names, and of members of values with a certain type. */
export function readUses(
  reading: Reading,
  placed: readonly Placed[],
  paths: DefinitionPaths,
  loaded: ReadonlySet<number>,
): ReadUses {
  return new UseReader(reading, placed, paths, loaded).run();
}

/** Kinds that can have type arguments for the name before them. */
const takesTypeArguments = kindTable([
  Kind.TypeReference,
  Kind.Heritage,
  Kind.Implements,
  Kind.Class,
  Kind.New,
]);

class UseReader {
  readonly #extended = new Set<string>();
  readonly #reading: Reading;
  readonly #paths: DefinitionPaths;
  /** Identifiers bound to a module by `require` or `import()`: imports, wherever they occur. */
  readonly #loaded: ReadonlySet<number>;
  readonly #instances: Instances;
  readonly #narrowing: Narrowing;
  readonly #position: Position;
  readonly #list: UseList;
  readonly #literals: LiteralList;
  readonly #given: GivenKeys;
  readonly #types: WrittenTypes;
  readonly #mocks: Mocks;
  readonly #bound: (Root | undefined)[];
  /** Null for names that the language provides. */
  readonly #unbound: (Root | null | undefined)[];

  constructor(
    reading: Reading,
    placed: readonly Placed[],
    paths: DefinitionPaths,
    loaded: ReadonlySet<number>,
  ) {
    this.#reading = reading;
    this.#paths = paths;
    this.#loaded = loaded;
    this.#instances = new Instances(reading, placed);
    this.#narrowing = new Narrowing(reading);
    this.#position = new Position(reading, placed);
    this.#list = new UseList(reading);
    this.#literals = new LiteralList(reading, this.#position);
    this.#given = new GivenKeys(reading, this.#instances, this.#position, this.#list, this.#literals);
    this.#types = new WrittenTypes(reading, this.#position, this.#list);
    this.#mocks = new Mocks(reading, this.#position, this.#list);
    this.#bound = new Array(reading.names.count);
    this.#unbound = new Array(reading.names.count);
  }

  run(): ReadUses {
    const { kind, count } = this.#reading.tree;
    for (let node = 1; node < count; node++) {
      const concern = concerns[kind[node] as number];
      if (concern === noConcern) continue;
      this.#position.moveTo(node);
      if (concern === referenceConcern) this.#reference(node);
      else if (concern === thisConcern) this.#this(node);
      else if (concern === superConcern) this.#super(node);
      else if (concern === patternConcern) this.#annotatedPattern(node);
      else this.#given.typedObject(node);
    }
    return {
      uses: this.#list.settled(this.#narrowing),
      comparisons: this.#literals.settled(this.#narrowing),
      extended: this.#extended,
    };
  }

  #reference(node: number): void {
    const { tree, names } = this.#reading;
    const above = tree.kind[tree.parent[node] as number];
    // An exported name is an export, not a use.
    if (above === Kind.ExportName || above === Kind.ExportDefault) return;
    const name = names.numberOf(node);
    const binding = this.#lookUp(name, above);
    if (binding === undefined) {
      const root = this.#unboundRoot(name);
      if (root !== null) this.#named(node, root);
      return;
    }
    const { container } = binding;
    if (container === '') this.#named(node, this.#boundRoot(name));
    else if (container !== null) this.#named(node, nameRoot(`${container}.${names.text(name)}`));
    else if (this.#loaded.size > 0 && this.#loaded.has(binding.node))
      this.#named(node, this.#boundRoot(name));
    if (above === Kind.TypeReference) return;
    this.#elements(node, binding);
    this.#mocks.expected(node, binding);
    this.#value(node, binding);
  }

  /** The root for a name of the module, cached: most names are used more than once. */
  #boundRoot(name: number): Root {
    const known = this.#bound[name];
    if (known !== undefined) return known;
    const root = plainRoot(this.#reading.names.text(name), false);
    this.#bound[name] = root;
    return root;
  }

  /** The root for an unbound name; null when no file needs to bind it. */
  #unboundRoot(name: number): Root | null {
    const known = this.#unbound[name];
    if (known !== undefined) return known;
    const { names, scopes } = this.#reading;
    const text = names.text(name);
    const root = visible.has(text) || scopes.declaredGlobals.has(name) ? null : plainRoot(text, true);
    this.#unbound[name] = root;
    return root;
  }

  #lookUp(name: number, above: number | undefined): Binding | undefined {
    const position = this.#position;
    if (above === Kind.TypeReference || above === Kind.Implements || above === Kind.Heritage)
      return position.type(name);
    if (above === Kind.QualifiedName || above === Kind.ImportEquals)
      return position.value(name) ?? position.type(name);
    return position.value(name);
  }

  /** A member of a variable or parameter whose type is known. */
  #value(node: number, binding: Binding): void {
    const type = this.#instances.ofBinding(binding);
    if (type === null) return;
    const chain = chainFrom(this.#reading, node);
    const written = isWritten(this.#reading, chain.top);
    if (chain.top === node && written && !this.#instances.isAnnotated(binding))
      this.#narrowing.doubt(binding);
    this.#narrowing.see(chain.top, chain.path, binding);
    if (written && this.#reading.variant === 'js') return;
    const root = instanceRoot(type, binding);
    this.#members(node, chain, root);
    if (chain.path.length > 0) return;
    this.#literals.compare(node, chain, root);
    this.#throughAny(node, type, binding);
    this.#taken(node, chain, type, binding);
  }

  /** `const { save } = useStore(); save(user)` calls a member of what was taken apart. */
  #taken(node: number, chain: Chain, type: string, binding: Binding): void {
    const suffix = `.${heldValue}`;
    if (this.#reading.tree.role[node] !== Role.callee || !type.endsWith(suffix)) return;
    const taken = type.slice(0, -suffix.length);
    const dot = taken.lastIndexOf('.');
    if (dot < 0 || /[<{|]/.test(taken)) return;
    this.#emit(node, chain, {
      ...instanceRoot(taken.slice(0, dot), binding),
      prefix: [taken.slice(dot + 1)],
    });
  }

  /** `(store as any).cache` */
  #throughAny(node: number, type: string, binding: Binding): void {
    const cast = castToAny(this.#reading, node);
    if (cast < 0) return;
    const chain = chainFrom(this.#reading, cast);
    const member = chain.path[0];
    if (member === undefined) return;
    const root = castRoot(type, binding);
    const scope = this.#position.definition;
    this.#list.add(node, chain.top, root, [member], 'read', null, chain.testsMember, scope);
  }

  /** `users.map((user) => …)` and `for (const user of users)`, where `users` is a list of a named type. */
  #elements(node: number, binding: Binding): void {
    const { tree, names } = this.#reading;
    const list = copiedInto(this.#reading, node);
    const above = tree.parent[list] as number;
    const loop = tree.kind[above] === Kind.For && tree.role[list] === Role.right ? above : -1;
    const call = tree.kind[above] === Kind.Member ? (tree.parent[above] as number) : -1;
    const isCallee = call >= 0 && tree.kind[call] === Kind.Call && tree.role[above] === Role.callee;
    const method = isCallee ? names.ofNode(tree.after[list] as number) : '';
    const indexed = this.#indexedAt(list);
    if (loop < 0 && !passesElements(method) && indexed < 0) return;
    const type = this.#instances.ofElement(binding) ?? elementOfWritten(this.#instances.ofBinding(binding));
    if (type === null) return;
    if (indexed >= 0) this.#element(indexed, type, binding);
    for (const origin of loop < 0 ? [] : loopVariables(this.#reading, loop))
      this.#instances.give(origin, type);
    if (method === '') return;
    for (const given of parametersGiven(this.#reading, call))
      if (given.argument === 0 && passesElement(method, given.parameter))
        this.#instances.give(given.node, type);
  }

  #this(node: number): void {
    const owner = this.#reading.thisOwners.get(node);
    const path = owner === undefined ? undefined : this.#paths.ofClass(owner.classNode);
    if (owner === undefined || path === undefined) return;
    const chain = chainFrom(this.#reading, node);
    const isRead = !isWritten(this.#reading, chain.top);
    const first = chain.path[0];
    if (owner.isStatic) {
      if (isRead && first !== undefined) this.#named(node, nameRoot(path));
      return;
    }
    const type = first === undefined ? null : this.#instances.ofField(path, first);
    if (first !== undefined && type !== null) this.#field(node, chain, path, first, type);
    else if (isRead) {
      this.#narrowing.seeMember(chain.top, chain.path, path);
      this.#members(node, chain, instanceRoot(path, path));
    }
  }

  /** `this.user.name` reads a field of the class, and a member of that field's type. */
  #field(node: number, chain: Chain, path: string, field: string, type: string): void {
    const { tree } = this.#reading;
    const receiver = `${path}.${field}`;
    this.#narrowing.see(chain.top, chain.path.slice(1), receiver);
    if (chain.path.length === 1) {
      if (!isWritten(this.#reading, chain.top)) this.#emit(node, chain, instanceRoot(path, null));
      this.#takenByName(chain.top, instanceRoot(type, receiver), noMembers);
      return;
    }
    const member = tree.parent[node] as number;
    this.#list.add(
      node,
      member,
      instanceRoot(path, null),
      [field],
      'read',
      null,
      false,
      this.#position.definition,
    );
    this.#members(node, { ...chain, path: chain.path.slice(1) }, instanceRoot(type, receiver));
  }

  /** `super(…)` constructs the base class, `super.member` reads from it. */
  #super(node: number): void {
    const { tree } = this.#reading;
    const owner = this.#reading.thisOwners.get(node);
    const superclass = owner === undefined ? -1 : childIn(tree, owner.classNode, Role.super);
    const base = superclass < 0 ? null : dottedName(this.#reading, superclass);
    if (owner === undefined || base === null || !this.#isModuleLevel(base)) return;
    if (tree.role[node] === Role.callee) {
      const call = tree.parent[node] as number;
      const root = nameRoot(base);
      const shape = callShape(this.#reading, call);
      this.#list.add(node, call, root, root.prefix, 'new', shape, false, this.#position.definition);
    } else if (owner.isStatic) this.#named(node, nameRoot(base));
    else this.#members(node, chainFrom(this.#reading, node), instanceRoot(base, null));
  }

  #isModuleLevel(dotted: string): boolean {
    const [root = ''] = dotted.split('.', 1);
    const name = this.#reading.names.of(root);
    if (this.#reading.scopes.isBoundLocally(name)) return false;
    return this.#position.value(name) !== undefined || !visible.has(root);
  }

  /** `({ name }: Props) => …`, `const { name }: Props = …` and `const { name } = useUser()` read members of a type. */
  #annotatedPattern(node: number): void {
    const { tree } = this.#reading;
    const origin = tree.parent[node] as number;
    if (tree.kind[origin] !== Kind.Parameter && tree.kind[origin] !== Kind.Variable) return;
    const annotation = childIn(tree, origin, Role.type);
    const isCalled = annotation < 0 && tree.kind[origin] === Kind.Variable;
    const type =
      (annotation < 0 ? this.#instances.ofGiven(origin) : null) ??
      (isCalled
        ? this.#instances.ofCall(childIn(tree, origin, Role.init))
        : this.#instances.ofAnnotation(annotation));
    if (type !== null) this.#keys(node, instanceRoot(type, null), noMembers);
  }

  #named(node: number, root: Root): void {
    const { tree } = this.#reading;
    const above = tree.parent[node] as number;
    // Most names by far are types from which nothing is read.
    if (tree.kind[above] === Kind.TypeReference && root.prefix.length === 0) {
      const typeArguments = countIn(tree, above, Role.typeArgument);
      const { definition } = this.#position;
      this.#list.add(node, node, root, noMembers, 'type', null, false, definition, typeArguments);
      if (root.isUnbound) return;
      this.#types.givenFunction(node, above, root);
      if (tree.role[above] === Role.object) this.#types.indexed(above, root.root);
      else if (tree.role[above] === Role.typeArgument) this.#types.picked(above, root.root);
      return;
    }
    const chain = chainFrom(this.#reading, node);
    this.#emit(node, chain, root);
    this.#takenByName(chain.top, root, chain.path);
  }

  /** Only member reads of an instance are uses: the variable itself is a local. */
  #members(node: number, chain: Chain, root: Root): void {
    if (chain.path.length > 0) this.#emit(node, chain, root);
    this.#takenByName(chain.top, root, chain.path);
  }

  #emit(node: number, chain: Chain, root: Root): void {
    const reading = this.#reading;
    const { tree } = reading;
    const above = tree.parent[chain.top] as number;
    const path =
      root.prefix.length === 0 ? chain.path : [...root.prefix, ...chain.path].slice(0, longestPath);
    const kind = chain.isCut ? 'read' : this.#kindOf(chain.top, above);
    const expected = kind === 'read' && !chain.isCut ? expectedCall(reading, chain.top) : -1;
    if (expected >= 0) {
      const shape = { ...callShape(reading, expected), result: 'expected' as const };
      this.#list.add(node, expected, root, path, 'call', shape, false, this.#position.definition);
      return;
    }
    const isCalled =
      kind === 'call' || kind === 'new' || (kind === 'decorator' && tree.kind[above] === Kind.Call);
    let guarded = kind === 'call' && has(tree, above, Flag.optional);
    if (root.rootIs === 'name') {
      this.#narrowing.seeMember(chain.top, path, root.root);
      if (this.#extends(chain)) this.#extended.add(root.root);
      const isTest = this.#testsExistence(chain, root);
      if (isTest) this.#list.noteTest(root.root, path);
      guarded ||= isTest || chain.testsMember;
    }
    if (kind === 'read') this.#literals.compare(node, chain, root);
    if (kind === 'jsx') this.#literals.takeAttributes(above, [root.root, ...path]);
    if (kind === 'call' && !root.isUnbound) {
      const called = valuePath(root, path);
      this.#state(above);
      this.#result(above, called, root);
      this.#callbacks(above, called);
      this.#literals.takeArguments(above, called, root.receiver);
      this.#given.takeArguments(above, called, root.receiver);
    }
    if (!chain.isCut && !root.isUnbound) {
      const indexed = this.#indexedAt(chain.top);
      if (indexed >= 0)
        this.#element(indexed, [...valuePath(root, path), elementOf].join('.'), root.receiver);
    }
    if (tree.kind[above] === Kind.For && tree.role[chain.top] === Role.right && !root.isUnbound)
      this.#loop(above, valuePath(root, path));
    if (root.rootIs === 'instance' && isContainer(root.root)) return;
    const call = isCalled ? callShape(reading, above) : kind === 'jsx' ? jsxShape(reading, above) : null;
    this.#list.add(
      node,
      isCalled ? above : chain.top,
      root,
      path,
      kind,
      call,
      guarded,
      this.#position.definition,
      takesTypeArguments[tree.kind[above] as number] === 1 ? countIn(tree, above, Role.typeArgument) : null,
    );
  }

  /** `use((c) => …)`: the callee determines the types of a callback's parameters. */
  #callbacks(call: number, called: readonly string[]): void {
    const list = called.at(-2) === heldValue ? called.slice(0, -2) : called.slice(0, -1);
    const method = list.length > 1 ? (called.at(-1) ?? '') : '';
    for (const { node, argument, parameter } of parametersGiven(this.#reading, call)) {
      const isElement = argument === 0 && passesElement(method, parameter);
      const type = isElement ? [...list, elementOf] : [...called, givenParameter(argument, parameter)];
      this.#instances.give(node, type.join('.'));
    }
  }

  /** `for (const item of order.items)` */
  #loop(above: number, list: readonly string[]): void {
    for (const origin of loopVariables(this.#reading, above))
      this.#instances.give(origin, [...list, elementOf].join('.'));
  }

  /** `users[0]` and `users[index]` around a list, not `users['0']` or `users[Symbol.iterator]`; else -1. */
  #indexedAt(list: number): number {
    const { tree } = this.#reading;
    const above = tree.parent[list] as number;
    if (tree.kind[above] !== Kind.ComputedMember || tree.role[list] !== Role.object) return -1;
    const index = tree.after[list] as number;
    const isSymbol =
      tree.kind[index] === Kind.Member && dottedName(this.#reading, index)?.startsWith('Symbol.');
    return tree.kind[index] === Kind.String || isSymbol ? -1 : above;
  }

  /** `users[0].name` */
  #element(indexed: number, type: string, receiver: Root['receiver']): void {
    const chain = chainFrom(this.#reading, indexed);
    if (receiver !== null) this.#narrowing.see(chain.top, chain.path, receiver);
    if (chain.path.length === 0) this.#holds(indexed, type, false);
    if (chain.path.length === 0 || (this.#reading.variant === 'js' && isWritten(this.#reading, chain.top)))
      return;
    this.#emit(indexed, chain, instanceRoot(type, receiver));
  }

  /** `find(1).name`, `(await this.repo.find(1)).name`: a member of a call's result, one call deep; lists are followed further. */
  #result(call: number, called: readonly string[], { rootIs, receiver }: Root): void {
    const { tree, variant } = this.#reading;
    const above = tree.parent[call] as number;
    const isAwaited = tree.kind[above] === Kind.Await;
    const value = isAwaited ? above : call;
    const chain = chainFrom(this.#reading, value);
    const [member] = chain.path;
    if (called.length > mostSteps || !isFollowed(called)) return;
    const tests = mayNarrow(this.#reading, call, called.at(-1) ?? '') ? [testedValue] : [];
    const type = [...called, ...tests, isAwaited ? awaitedResult : plainResult].join('.');
    if (member === undefined) {
      if (rootIs === 'instance') this.#holds(value, type, true);
      return;
    }
    // The most common calls, whose results have no type of the project.
    if (called[0] === 'expect' || (!isAwaited && isPromiseMethod(member))) return;
    if (variant === 'js' && isWritten(this.#reading, chain.top)) return;
    this.#emit(value, chain, instanceRoot(type, receiver));
  }

  /** `const [user, setUser] = useState<User>(initial)` */
  #state(call: number): void {
    const { tree } = this.#reading;
    const variable = tree.parent[call] as number;
    const pattern = tree.kind[variable] === Kind.Variable ? childIn(tree, variable, Role.id) : -1;
    if (pattern < 0 || tree.kind[pattern] !== Kind.ArrayPattern) return;
    const type = this.#instances.ofAnnotation(typeOfState(this.#reading, call));
    if (type !== null && tree.kind[pattern + 1] === Kind.Binding) this.#instances.give(pattern + 1, type);
  }

  /** `const user = users[0]`, `const { name } = await this.users.find(1)`, `for (const user of this.users.all())` */
  #holds(value: number, type: string, mayBeTaken: boolean): void {
    const { tree } = this.#reading;
    const above = tree.parent[value] as number;
    if (tree.kind[above] === Kind.For && tree.role[value] === Role.right) {
      for (const origin of loopVariables(this.#reading, above))
        this.#instances.give(origin, `${type}.${elementOf}`);
      return;
    }
    if (tree.kind[above] !== Kind.Variable || tree.role[value] !== Role.init) return;
    const id = childIn(tree, above, Role.id);
    if (childIn(tree, above, Role.type) >= 0) return;
    if (tree.kind[id] === Kind.Binding) this.#instances.give(above, type);
    else if (mayBeTaken && tree.kind[id] === Kind.ObjectPattern)
      this.#keys(id, instanceRoot(type, null), noMembers);
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

  #extends({ path, top }: Chain): boolean {
    if (path[0] === 'prototype') return true;
    return this.#reading.variant === 'js' && path.length === 1 && isWritten(this.#reading, top);
  }

  /** `typeof x`, `if (ns.member)`. */
  #testsExistence(chain: Chain, root: Root): boolean {
    const { tree } = this.#reading;
    const above = tree.parent[chain.top] as number;
    if (tree.kind[above] === Kind.Unary && has(tree, above, Flag.typeof)) return true;
    return (chain.path.length > 0 || root.isUnbound) && isCondition(this.#reading, chain.top);
  }

  #takenByName(top: number, root: Root, path: readonly string[]): void {
    this.#patternKeys(top, root, path);
    this.#mocks.spied(top, root, path);
  }

  /** `const { a } = ns`: each key is a member read from the destructured value. */
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
    if (before.length >= longestPath) return;
    for (const property of childrenIn(tree, pattern, Role.member)) {
      const isShorthandTarget = tree.kind[property] === Kind.TargetShorthand;
      const key = isShorthandTarget ? property + 1 : childIn(tree, property, Role.key);
      const name = isShorthandTarget ? names.ofNode(key) : memberName(this.#reading, property);
      if (name === null) continue;
      let value = isShorthandTarget ? property : childIn(tree, property, Role.value);
      const hasDefault = tree.kind[value] === Kind.PatternDefault || tree.kind[value] === Kind.TargetDefault;
      if (hasDefault) value++;
      const path = [...before, name];
      const guarded = hasDefault && root.rootIs === 'name';
      this.#list.add(key, key, root, path, 'read', null, guarded, this.#position.definition);
      if (tree.kind[value] === Kind.ObjectPattern || tree.kind[value] === Kind.ObjectTarget)
        this.#keys(value, root, path);
      // A default value may have another type.
      else if (tree.kind[value] === Kind.Binding && !hasDefault && root.rootIs === 'instance')
        this.#instances.give(value, [root.root, ...path, heldValue].join('.'));
    }
  }
}
