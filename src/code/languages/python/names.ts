import type { TypeName } from '#code/facts/facts.ts';
import {
  awaitedResult,
  elementOf,
  importedInside,
  plainResult,
  testedValue,
} from '#code/languages/shared/results.ts';
import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { dottedName } from './expressions.ts';
import { requestedFixtures, typeOfFixture } from './fixtures.ts';
import { testedClass } from './narrowing.ts';
import { PassedValues } from './passed-values.ts';
import { type Binding, type BindingSite, lookup, type Scope } from './scopes.ts';
import { Mark } from './surroundings.ts';
import type { Annotations } from './type-names.ts';
import { isUnionText, unionText } from './type-text.ts';
import { visible } from './visible.ts';

/** What a name refers to where it is read. */
export type Meaning =
  | { readonly is: 'module-level' | 'unbound' }
  /** A function imports it; `root` is what linking finds it by. */
  | { readonly is: 'imported'; readonly root: string }
  | { readonly is: 'instance'; readonly type: TypeName }
  | { readonly is: 'class'; readonly type: TypeName }
  | { readonly is: 'local' };

const local: Meaning = { is: 'local' };

/** Tells what names and expressions mean, once every name is bound. */
export class Names {
  readonly #bound: Bound;
  readonly #annotations: Annotations;
  readonly #meanings = new Map<Binding, Meaning>();
  #passed: PassedValues | null = null;

  constructor(bound: Bound, annotations: Annotations) {
    this.#bound = bound;
    this.#annotations = annotations;
    noteNarrowing(bound);
  }

  meaning(name: string, from: Scope): Meaning {
    const scope = lookup(name, from);
    if (scope === null) return visible.has(name) ? local : { is: 'unbound' };
    if (scope.kind === 'module') return { is: 'module-level' };
    if (scope.kind !== 'function' && scope.kind !== 'comprehension') return local;
    const binding = scope.bindings.get(name);
    if (this.#isImport(binding)) return { is: 'imported', root: importedInside(name) };
    return binding === undefined || binding.narrowed ? local : this.#local(binding, scope);
  }

  /** The class that an `except` or `isinstance` around a name gives it; null when there is none. */
  testedType(reference: NodeId): TypeName | null {
    const { tree } = this.#bound;
    const name = tree.textOf(reference);
    const scope = lookup(name, this.#bound.scopeAt(reference));
    const binding = scope?.kind === 'function' ? scope.bindings.get(name) : undefined;
    const isTested = binding?.narrowed || binding?.sites.some(({ form }) => form === 'handler');
    if (binding === undefined || !isTested) return null;
    const type = testedClass(tree, reference, binding);
    const found = type === none ? null : this.#className(type);
    return found === null ? null : `${found}.${testedValue}`;
  }

  /** A name that a function only imports, whatever happens. */
  #isImport(binding: Binding | undefined): boolean {
    return (
      binding?.sites.every(
        ({ form, node }) => form === 'import' && !this.#bound.hasMark(node, Mark.conditional),
      ) === true
    );
  }

  /** Annotation of a variable or parameter as a type that linking can follow from this module. */
  annotatedType(annotation: NodeId): TypeName | null {
    const name = this.#annotations.typeName(this.#bound.tree, annotation);
    return name === null ? null : this.#linkable(name, this.#bound.scopeAt(annotation));
  }

  /** The element type of an annotated collection: `Client` for `Iterator[Client]`. */
  annotatedElement(annotation: NodeId): TypeName | null {
    const element = this.#annotations.elementOf(this.#bound.tree, annotation);
    return element === none ? null : (this.annotatedType(element) ?? this.annotatedUnion(element));
  }

  /** `(Opened|Closed)` for `Opened | Closed`. */
  annotatedUnion(annotation: NodeId): TypeName | null {
    const scope = this.#bound.scopeAt(annotation);
    const names = this.#annotations
      .typeNames(this.#bound.tree, annotation)
      ?.map((name) => this.#linkable(name, scope));
    return names?.every((name) => name !== null) ? unionText(names) : null;
  }

  /** `User[]` for `list[User]`. */
  annotatedList(annotation: NodeId): TypeName | null {
    const element = annotation === none ? null : this.annotatedElement(annotation);
    return element === null ? null : `${element}${elementOf}`;
  }

  /** The type of an expression: a name, a constructor call, or a call of a function. */
  valueType(value: NodeId): TypeName | null {
    const { tree } = this.#bound;
    if (tree.kind(value) !== 'identifier') return this.constructedType(value) ?? this.resultType(value);
    const meaning = this.meaning(tree.textOf(value), this.#bound.scopeAt(value));
    return meaning.is === 'instance' && !isUnionText(meaning.type) ? meaning.type : null;
  }

  /** `User(…)` where `User` is a class of this module or a capitalised import; `cls(…)` and `….__new__(cls)` too. */
  constructedType(value: NodeId): TypeName | null {
    const { tree } = this.#bound;
    if (tree.kind(value) !== 'call') return null;
    const callee = tree.child(value, 'function');
    if (tree.textOf(tree.child(callee, 'attribute')) === '__new__') {
      const created = tree.firstChild(tree.child(value, 'arguments'));
      return created === none ? null : (this.#receivedClass(created) ?? this.#className(created));
    }
    return this.#receivedClass(callee) ?? this.#className(callee);
  }

  /** The result of a function of this module or an imported one: `find.()`, and `find.(await)` when awaited. */
  resultType(value: NodeId): TypeName | null {
    const { tree } = this.#bound;
    const isAwaited = tree.kind(value) === 'await';
    const call = isAwaited ? tree.firstChild(value) : value;
    if (tree.kind(call) !== 'call') return null;
    const [name, ...members] = dottedName(tree, tree.child(call, 'function')) ?? [];
    if (name === undefined || members.length > 1) return null;
    const scope = lookup(name, this.#bound.scopeAt(call));
    const root =
      scope === null ? null : (this.#rootIn(scope, name) ?? this.#receiverIn(scope, name, members));
    if (root === null) return null;
    return [root, ...members, isAwaited ? awaitedResult : plainResult].join('.');
  }

  /** The class of a name: `self`, `cls`, or a variable that only ever holds instances of it. */
  classOf(node: NodeId): TypeName | null {
    const { tree } = this.#bound;
    if (tree.kind(node) !== 'identifier') return null;
    const name = tree.textOf(node);
    const scope = lookup(name, this.#bound.scopeAt(node));
    const binding = scope?.bindings.get(name);
    if (scope === null || binding === undefined || scope.kind === 'class') return null;
    const meaning = this.#local(binding, scope);
    return meaning.is === 'instance' || meaning.is === 'class' ? meaning.type : null;
  }

  /** The class that `cls` refers to. */
  #receivedClass(node: NodeId): TypeName | null {
    const { tree } = this.#bound;
    if (tree.kind(node) !== 'identifier') return null;
    const name = tree.textOf(node);
    const scope = lookup(name, this.#bound.scopeAt(node));
    const binding = scope?.bindings.get(name);
    // Only the binding decides: if the type of a call depended on other calls, `x = x()` would never end.
    const isReceiver = binding?.receiver === 'class' && binding.sites.length === 1;
    return isReceiver && scope !== null ? enclosingClass(scope) : null;
  }

  /** A dotted name that refers to a class, as far as one file shows. */
  #className(node: NodeId): TypeName | null {
    const parts = dottedName(this.#bound.tree, node);
    const [root, ...members] = parts ?? [];
    if (parts === null || root === undefined) return null;
    const isCapitalised = /^_*[A-Z]/.test(parts.at(-1) ?? '');
    const scope = lookup(root, this.#bound.scopeAt(node));
    const binding = scope?.bindings.get(root);
    if (scope?.kind === 'function')
      return isCapitalised && this.#isImport(binding) ? [importedInside(root), ...members].join('.') : null;
    if (scope?.kind !== 'module') return null;
    const sites = binding?.sites ?? [];
    const isClass = sites.every(({ form }) => form === 'class');
    const isImport = sites.every(({ form }) => form === 'import');
    if (isClass ? parts.length > 1 && !isCapitalised : !(isImport && isCapitalised)) return null;
    return parts.join('.');
  }

  /** Type of the value that a site binds; undefined for `None`, which gives no type. */
  siteType(site: BindingSite): TypeName | null | undefined {
    if (site.annotation !== none && !isBareQualifier(this.#bound.tree.textOf(site.annotation))) {
      return this.annotatedType(site.annotation) ?? this.annotatedUnion(site.annotation);
    }
    if (this.#bound.tree.kind(site.value) === 'none') return undefined;
    if (site.form === 'assignment') return this.constructedType(this.#valueOrItself(site));
    return site.form === 'target' ? this.#elementType(site) : null;
  }

  /** `ctx = ctx or Context()` and `ctx = Context() if ctx is None else ctx`: the other value that the name can get. */
  #valueOrItself({ name, value }: BindingSite): NodeId {
    const { tree } = this.#bound;
    const parts = tree.children(value);
    const [first = none, second = none, third = none] = parts;
    const isItself = (node: NodeId) =>
      tree.kind(node) === 'identifier' && tree.textOf(node) === tree.textOf(name);
    if (tree.kind(value) === 'boolean_operator')
      return isItself(first) && / or /.test(tree.text.slice(tree.end(first), tree.start(second)))
        ? second
        : value;
    if (tree.kind(value) !== 'conditional_expression') return value;
    return isItself(third) ? first : isItself(first) ? third : value;
  }

  /** `for user in users`: the type of what the loop gives. */
  #elementType({ name, node }: BindingSite): TypeName | null {
    const { tree } = this.#bound;
    const isLoop = tree.kind(node) === 'for_statement' || tree.kind(node) === 'for_in_clause';
    const isWhole = tree.child(node, 'left') === name;
    if (!isLoop || !isWhole || tree.text.startsWith('async', tree.start(node))) return null;
    return this.#iteratedType(tree.child(node, 'right'));
  }

  /** The elements of an annotated variable, of a member of a known class, `journal.tags`, or of what a function returns. */
  #iteratedType(iterated: NodeId): TypeName | null {
    const { tree } = this.#bound;
    switch (tree.kind(iterated)) {
      case 'identifier': {
        const list = tree.textOf(iterated);
        const scope = lookup(list, this.#bound.scopeAt(iterated));
        const binding = scope?.kind === 'function' ? scope.bindings.get(list) : undefined;
        const [site, ...others] = binding?.sites ?? [];
        if (!site || others.length > 0 || binding?.narrowed) return null;
        const isAnnotated = site.annotation !== none || site.form !== 'assignment' || site.value === iterated;
        if (isAnnotated) return this.annotatedElement(site.annotation);
        return tree.kind(site.value) === 'identifier' ? null : this.#iteratedType(site.value);
      }
      case 'attribute': {
        const object = tree.child(iterated, 'object');
        const owner = tree.kind(object) === 'identifier' ? this.valueType(object) : null;
        const member = tree.textOf(tree.child(iterated, 'attribute'));
        return owner === null ? null : [owner, member, elementOf].join('.');
      }
      case 'call': {
        const result = this.resultType(iterated);
        return result?.endsWith(plainResult) ? `${result.slice(0, -plainResult.length)}${elementOf}` : null;
      }
      default:
        return null;
    }
  }

  /** A name of an annotation as linking finds it; null for classes of a function and of the language. */
  #linkable(name: TypeName, from: Scope): TypeName | null {
    const [root = name, ...members] = name.split('.');
    const scope = lookup(root, from);
    if (scope === null) return visible.has(root) ? null : name;
    const start = this.#rootIn(scope, root);
    return start === null ? null : [start, ...members].join('.');
  }

  /** What linking finds a name of this scope by; null for locals. */
  #rootIn(scope: Scope, name: string): string | null {
    if (scope.kind === 'module') return name;
    const isImport = scope.kind === 'function' && this.#isImport(scope.bindings.get(name));
    return isImport ? importedInside(name) : null;
  }

  /** The class of a local value whose method is called: `Repo` for `repo.find()`. */
  #receiverIn(scope: Scope, name: string, members: readonly string[]): TypeName | null {
    const binding = scope.kind === 'function' && members.length > 0 ? scope.bindings.get(name) : undefined;
    const meaning = binding === undefined || binding.narrowed ? local : this.#local(binding, scope);
    return meaning.is === 'instance' && !isUnionText(meaning.type) ? meaning.type : null;
  }

  #local(binding: Binding, scope: Scope): Meaning {
    let meaning = this.#meanings.get(binding);
    if (meaning === undefined) {
      // Its own value may mention it: `node = node.next()`.
      this.#meanings.set(binding, local);
      meaning = this.#deduce(binding, scope);
      this.#meanings.set(binding, meaning);
    }
    return meaning;
  }

  #isFixture({ form, name, annotation }: BindingSite, scope: Scope): boolean {
    if (form !== 'parameter' || annotation !== none || scope.kind !== 'function') return false;
    return requestedFixtures(this.#bound, scope.node).some((parameter) => parameter.name === name);
  }

  /** The class that every call of this file passes to a parameter without annotation. Other files may pass another one. */
  #passedType({ node }: BindingSite, scope: Scope): TypeName | null {
    this.#passed ??= new PassedValues(this.#bound);
    const values = this.#passed.to(node, scope);
    const types = new Set(values.map((value) => this.valueType(value)));
    const [type = null] = types;
    return types.size === 1 && type !== null ? `${type}.${testedValue}` : null;
  }

  #deduce(binding: Binding, scope: Scope): Meaning {
    if (binding.receiver !== null) {
      const type = enclosingClass(scope);
      return type === null || binding.sites.length > 1 ? local : { is: binding.receiver, type };
    }
    const types = new Set(
      binding.sites
        .map((site) => {
          const type = this.siteType(site);
          if (type !== null) return type;
          if (site.form === 'assignment') return this.resultType(site.value);
          if (this.#isFixture(site, scope)) return typeOfFixture(this.#bound.tree.textOf(site.name));
          return site.form === 'parameter' ? this.#passedType(site, scope) : null;
        })
        .filter((type) => type !== undefined),
    );
    const [type] = types;
    return types.size === 1 && type !== undefined && type !== null ? { is: 'instance', type } : local;
  }
}

/** `X: Final = User()` leaves the type to the value. */
function isBareQualifier(annotation: string): boolean {
  return /^(\w+\.)?(Final|ClassVar)$/.test(annotation);
}

/** Symbol path of the class whose method this function is; null when the class is local to a function. */
function enclosingClass(method: Scope): TypeName | null {
  let scope = method.parent;
  while (scope?.kind === 'type-parameters') scope = scope.parent;
  return scope?.kind === 'class' ? scope.symbol : null;
}

/** `isinstance(x, Admin)` and the like make the type of `x` depend on the place, so its annotation is not trusted. */
function noteNarrowing({ tree, calls, subjects, scopeAt }: Bound): void {
  const tested = calls
    .filter((call) => narrowing.has(tree.textOf(tree.child(call, 'function'))))
    .map((call) => tree.firstChild(tree.child(call, 'arguments')));
  for (const target of [...tested, ...subjects]) {
    if (tree.kind(target) !== 'identifier') continue;
    const name = tree.textOf(target);
    const binding = lookup(name, scopeAt(target))?.bindings.get(name);
    if (binding !== undefined) binding.narrowed = true;
  }
}

const narrowing = new Set([
  'isinstance',
  'issubclass',
  'type',
  'callable',
  'setattr',
  'vars',
  'is_dataclass',
]);
