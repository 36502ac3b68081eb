import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { markBranches, markIf, markTry, markWith } from './flow.ts';
import { bindParameters } from './parameters.ts';
import { type AttributeWrite, type Declaration, Recorder } from './recorder.ts';
import { Scope, site } from './scopes.ts';
import { Mark, Surroundings } from './surroundings.ts';

/** Every name of a file bound to its scope. */
export interface Bound {
  readonly tree: SyntaxTree;
  readonly module: Scope;
  readonly calls: readonly NodeId[];
  /** Subjects of `match` statements. */
  readonly subjects: readonly NodeId[];
  readonly declarations: readonly Declaration[];
  readonly attributeWrites: readonly AttributeWrite[];
  scopeAt(node: NodeId): Scope;
  hasMark(node: NodeId, mark: number): boolean;
  /** Symbol path of the definition around a node; decorators, parameters and bases belong to their definition. */
  ownerAt(node: NodeId): string;
  /** The scope that a function, class, lambda or comprehension opens. */
  scopeOf(node: NodeId): Scope | undefined;
}

export function bind(tree: SyntaxTree): Bound {
  return new Binder(tree).run();
}

class Binder {
  readonly #tree: SyntaxTree;
  readonly #around: Surroundings;
  readonly #recorder: Recorder;
  readonly #finalValues = new Map<NodeId, NodeId>();
  readonly #opened = new Map<NodeId, Scope>();
  readonly #calls: NodeId[] = [];
  readonly #subjects: NodeId[] = [];

  constructor(tree: SyntaxTree) {
    this.#tree = tree;
    this.#around = new Surroundings(tree.size);
    this.#recorder = new Recorder(tree, this.#around);
  }

  run(): Bound {
    this.#visit(0);
    for (let node = 1; node < this.#tree.size; node++) {
      this.#around.inherit(node, this.#tree.parent(node));
      this.#visit(node);
    }
    this.#recorder.settleNonlocals();
    const tree = this.#tree;
    const around = this.#around;
    const opened = this.#opened;
    const calls = this.#calls;
    const subjects = this.#subjects;
    const { declarations, attributeWrites } = this.#recorder;
    return {
      tree,
      module: around.module,
      calls,
      subjects,
      declarations,
      attributeWrites,
      scopeAt: (node) => around.scopeAt(node),
      hasMark: (node, mark) => around.hasMark(node, mark),
      ownerAt: (node) => around.ownerAt(node),
      scopeOf: (node) => opened.get(node),
    };
  }

  #scopeAt(node: NodeId): Scope {
    return this.#around.scopeAt(node);
  }

  #mark(node: NodeId, mark: number): void {
    this.#around.mark(node, mark);
  }

  /** The effect of each kind of node on names; other kinds have none. */
  readonly #visitors = new Map<string, (node: NodeId) => void>([
    ['attribute', (node) => this.#mark(this.#tree.child(node, 'attribute'), Mark.label)],
    ['keyword_argument', (node) => this.#mark(this.#tree.child(node, 'name'), Mark.label)],
    ['type', (node) => this.#mark(node, Mark.type)],
    ['assignment', (node) => this.#assignment(node)],
    ['augmented_assignment', (node) => this.#augmentedAssignment(node)],
    ['named_expression', (node) => this.#namedExpression(node)],
    ['function_definition', (node) => this.#functionDefinition(node)],
    ['class_definition', (node) => this.#classDefinition(node)],
    ['decorated_definition', (node) => this.#own(node, this.#tree.child(node, 'definition'))],
    ['lambda', (node) => this.#lambda(node)],
    ['list_comprehension', (node) => this.#comprehension(node)],
    ['set_comprehension', (node) => this.#comprehension(node)],
    ['dictionary_comprehension', (node) => this.#comprehension(node)],
    ['generator_expression', (node) => this.#comprehension(node)],
    ['for_in_clause', (node) => this.#recorder.bindTargets(this.#tree.child(node, 'left'), node)],
    ['for_statement', (node) => this.#forStatement(node)],
    ['while_statement', (node) => markBranches(this.#tree, this.#around, node)],
    ['match_statement', (node) => this.#matchStatement(node)],
    ['if_statement', (node) => markIf(this.#tree, this.#around, node)],
    ['try_statement', (node) => markTry(this.#tree, this.#around, node)],
    ['with_statement', (node) => markWith(this.#tree, this.#around, node)],
    ['as_pattern', (node) => this.#asPattern(node)],
    ['delete_statement', (node) => this.#deleteStatement(node)],
    ['import_statement', (node) => this.#importStatement(node)],
    ['import_from_statement', (node) => this.#importStatement(node)],
    ['future_import_statement', (node) => this.#importStatement(node)],
    ['global_statement', (node) => this.#redirect(node)],
    ['nonlocal_statement', (node) => this.#redirect(node)],
    ['type_alias_statement', (node) => this.#typeAlias(node)],
    ['case_pattern', (node) => this.#capturePatterns(node)],
    ['union_pattern', (node) => this.#capturePatterns(node)],
    ['splat_pattern', (node) => this.#recorder.bindTargets(this.#tree.firstChild(node), node)],
    ['keyword_pattern', (node) => this.#keywordPattern(node)],
    ['dotted_name', (node) => this.#dottedName(node)],
    ['call', (node) => this.#calls.push(node)],
    ['yield', (node) => this.#noteGenerator(node)],
    ['return_statement', (node) => this.#scopeAt(node).frame.returns.push(node)],
  ]);

  #visit(node: NodeId): void {
    this.#visitors.get(this.#tree.kind(node))?.(node);
  }

  #noteGenerator(node: NodeId): void {
    const { frame } = this.#scopeAt(node);
    frame.isGenerator = true;
    frame.yields.push(node);
  }

  #forStatement(node: NodeId): void {
    this.#recorder.bindTargets(this.#tree.child(node, 'left'), node);
    markBranches(this.#tree, this.#around, node);
  }

  #matchStatement(node: NodeId): void {
    const subject = this.#tree.child(node, 'subject');
    const kind = this.#tree.kind(subject);
    if (kind === 'identifier' || kind === 'attribute') this.#subjects.push(subject);
    markBranches(this.#tree, this.#around, node);
  }

  #open(kind: Scope['kind'], node: NodeId, body: NodeId, parent: Scope, symbol: string | null): Scope {
    const scope = new Scope(kind, parent, node, symbol);
    this.#opened.set(node, scope);
    this.#around.enter(scope, [body]);
    return scope;
  }

  /** Symbol path of a function or class in `scope`, null when it is local to a function. */
  #symbolIn(scope: Scope, name: string): string | null {
    if (!scope.isListed || scope.symbol === null) return null;
    return scope.symbol === '' ? name : `${scope.symbol}.${name}`;
  }

  #own(node: NodeId, definition: NodeId): void {
    const name = this.#tree.textOf(this.#tree.child(definition, 'name'));
    const symbol = this.#symbolIn(this.#scopeAt(node), name);
    if (symbol !== null) this.#around.own(node, symbol);
  }

  #functionDefinition(node: NodeId): void {
    const tree = this.#tree;
    const outer = this.#scopeAt(node);
    const name = tree.child(node, 'name');
    this.#recorder.bindName(name, site('function', name, node));
    if (tree.kind(tree.parent(node)) !== 'decorated_definition') this.#own(node, node);
    const around = this.#typeParameters(node, outer, ['parameters', 'return_type']);
    const body = tree.child(node, 'body');
    const scope = this.#open('function', node, body, around, this.#symbolIn(outer, tree.textOf(name)));
    this.#mark(body, Mark.detached);
    bindParameters(tree, node, scope, outer.kind === 'class', (id) => this.#mark(id, Mark.label));
  }

  #classDefinition(node: NodeId): void {
    const tree = this.#tree;
    const outer = this.#scopeAt(node);
    const name = tree.child(node, 'name');
    this.#recorder.bindName(name, site('class', name, node));
    if (tree.kind(tree.parent(node)) !== 'decorated_definition') this.#own(node, node);
    const around = this.#typeParameters(node, outer, ['superclasses']);
    this.#open('class', node, tree.child(node, 'body'), around, this.#symbolIn(outer, tree.textOf(name)));
  }

  #lambda(node: NodeId): void {
    const tree = this.#tree;
    const scope = this.#open('function', node, tree.child(node, 'body'), this.#scopeAt(node), null);
    bindParameters(tree, node, scope, false, (id) => this.#mark(id, Mark.label));
  }

  /** `def f[T](…)`: the parameters and everything after them see `T`, the surroundings do not. */
  #typeParameters(node: NodeId, outer: Scope, seenBy: readonly string[]): Scope {
    const tree = this.#tree;
    const list = tree.child(node, 'type_parameters');
    if (list === none) return outer;
    return this.#typeParameterScope(list, outer, [list, ...seenBy.map((field) => tree.child(node, field))]);
  }

  #typeParameterScope(list: NodeId, outer: Scope, seenBy: readonly NodeId[]): Scope {
    const tree = this.#tree;
    const scope = new Scope('type-parameters', outer, list, outer.symbol);
    this.#around.enter(scope, seenBy);
    for (const parameter of tree.children(list)) {
      let name = parameter;
      while (name !== none && tree.kind(name) !== 'identifier') name = tree.firstChild(name);
      if (name === none) continue;
      scope.bind(tree.textOf(name), site('type-parameter', name, parameter));
      this.#mark(name, Mark.label);
    }
    return scope;
  }

  #comprehension(node: NodeId): void {
    const tree = this.#tree;
    const outer = this.#scopeAt(node);
    const scope = this.#open('comprehension', node, none, outer, outer.symbol);
    this.#around.enter(scope, tree.children(node));
    // The first iterable is evaluated outside, where a class scope is still visible.
    const first = tree.childOfKind(node, 'for_in_clause');
    this.#around.enter(outer, [tree.child(first, 'right')]);
  }

  #assignment(node: NodeId): void {
    const tree = this.#tree;
    const left = tree.child(node, 'left');
    const annotation = tree.child(node, 'type');
    const value = this.#finalValue(node);
    const form = annotation !== none && value === none ? 'declaration' : 'assignment';
    if (tree.kind(left) === 'identifier' || tree.kind(left) === 'attribute') {
      this.#recorder.bindOne(left, { form, name: left, node, annotation, value, origin: value });
    } else if (form === 'assignment') {
      // `(x): int` alone binds nothing.
      this.#recorder.bindTargets(left, node, 'target', value);
    }
  }

  /** `a = b = value` nests to the right; every target gets the last value. */
  #finalValue(assignment: NodeId): NodeId {
    const tree = this.#tree;
    let value = this.#finalValues.get(assignment) ?? tree.child(assignment, 'right');
    if (tree.kind(value) !== 'assignment') return value;
    const chain: NodeId[] = [];
    for (; tree.kind(value) === 'assignment'; value = tree.child(value, 'right')) chain.push(value);
    for (const link of chain) this.#finalValues.set(link, value);
    return value;
  }

  #augmentedAssignment(node: NodeId): void {
    const left = this.#tree.child(node, 'left');
    // Reads before it writes, so the name stays a reference and a missing attribute is still an error.
    if (this.#tree.kind(left) === 'identifier') this.#recorder.bindInto(left, site('update', left, node));
  }

  #namedExpression(node: NodeId): void {
    const tree = this.#tree;
    const name = tree.child(node, 'name');
    const value = tree.child(node, 'value');
    this.#recorder.bindName(
      name,
      { form: 'assignment', name, node, annotation: none, value, origin: value },
      this.#scopeAt(node).frame,
    );
  }

  /** `with x as y`, `except E as y`, `case P as y`. */
  #asPattern(node: NodeId): void {
    const tree = this.#tree;
    const target = tree.childOfKind(node, 'as_pattern_target');
    if (target !== none) {
      const isHandler = tree.kind(tree.parent(node)) === 'except_clause';
      this.#recorder.bindTargets(tree.firstChild(target), node, isHandler ? 'handler' : 'target');
      return;
    }
    const last = tree.children(node).at(-1) ?? none;
    if (tree.kind(last) === 'identifier') this.#recorder.bindTargets(last, node);
  }

  #deleteStatement(node: NodeId): void {
    const tree = this.#tree;
    const first = tree.firstChild(node);
    const isList = /^(expression_list|tuple|list)$/.test(tree.kind(first));
    const scope = this.#scopeAt(node);
    for (const target of isList ? tree.children(first) : [first]) {
      if (tree.kind(target) !== 'identifier') continue;
      scope.deleted.add(tree.textOf(target));
      // Deleting makes a name local to its function; the name must exist, so it stays a reference.
      if (scope.kind === 'function') this.#recorder.bindInto(target, site('update', target, node));
    }
  }

  #importStatement(node: NodeId): void {
    const tree = this.#tree;
    const end = tree.subtreeEnd(node);
    for (let inner = node + 1; inner < end; inner++) {
      if (tree.kind(inner) === 'identifier') this.#mark(inner, Mark.label);
    }
    const wholeModules = tree.kind(node) === 'import_statement';
    for (const item of tree.children(node)) {
      if (tree.field(item) !== 'name') continue;
      const alias = tree.child(item, 'alias');
      const dotted = tree.kind(item) === 'aliased_import' ? tree.child(item, 'name') : item;
      const bound = alias !== none ? alias : tree.firstChild(dotted);
      if (bound === none) continue;
      if (alias === none && !wholeModules && tree.nextSibling(bound) !== none) continue;
      this.#recorder.bindName(bound, site('import', bound, node));
    }
  }

  #redirect(node: NodeId): void {
    const tree = this.#tree;
    const scope = this.#scopeAt(node);
    const names = tree.kind(node) === 'global_statement' ? scope.globals : scope.nonlocals;
    for (const name of tree.children(node)) {
      this.#mark(name, Mark.label);
      if (scope.kind !== 'module') names.add(tree.textOf(name));
    }
  }

  #typeAlias(node: NodeId): void {
    const tree = this.#tree;
    let name = tree.child(node, 'left');
    const left = name;
    while (name !== none && tree.kind(name) !== 'identifier') name = tree.firstChild(name);
    if (name === none) return;
    this.#recorder.bindName(name, site('type-alias', name, node, tree.child(node, 'right')));
    const generic = tree.firstChild(left);
    const list = generic === none ? none : tree.childOfKind(generic, 'type_parameter');
    const right = tree.child(node, 'right');
    if (list !== none) this.#typeParameterScope(list, this.#scopeAt(node), [list, right]);
  }

  /** A bare name in a pattern captures; a dotted one is compared. */
  #capturePatterns(node: NodeId): void {
    for (const child of this.#tree.children(node)) this.#captureDotted(child, node);
  }

  #keywordPattern(node: NodeId): void {
    const [keyword, value] = this.#tree.children(node);
    if (keyword !== undefined) this.#mark(keyword, Mark.label);
    if (value !== undefined) this.#captureDotted(value, node);
  }

  #captureDotted(dotted: NodeId, node: NodeId): void {
    const tree = this.#tree;
    if (tree.kind(dotted) !== 'dotted_name') return;
    const name = tree.firstChild(dotted);
    if (name !== none && tree.nextSibling(name) === none)
      this.#recorder.bindName(name, site('target', name, node));
  }

  /** Outside imports a dotted name is a value in a pattern: its first identifier is the reference. */
  #dottedName(node: NodeId): void {
    for (const part of this.#tree.children(node).slice(1)) this.#mark(part, Mark.label);
  }
}
