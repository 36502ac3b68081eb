import { type NodeId, none } from '#code/languages/tree-sitter/syntax-tree.ts';
import type { Bound } from './binder.ts';
import { parametersOf } from './parameters.ts';
import { lookup, type Scope } from './scopes.ts';

/** Searching the whole file for other uses of a function is worth it for so many functions. */
const mostSearches = 20;

/** The values that the calls of a file pass to the parameters of its functions. */
export class PassedValues {
  readonly #bound: Bound;
  /** By the name of the function, where a plain name is called. */
  #calls: ReadonlyMap<string, NodeId[]> | null = null;
  readonly #areOnlyCalled = new Map<string, boolean>();

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  #callsOf(name: string): readonly NodeId[] {
    const { tree, calls } = this.#bound;
    const isNamed = (call: NodeId) => tree.kind(tree.child(call, 'function')) === 'identifier';
    this.#calls ??= Map.groupBy(calls.filter(isNamed), (call) => tree.textOf(tree.child(call, 'function')));
    return this.#calls.get(name) ?? [];
  }

  /** The values of a parameter, one for each call; none when a call or another use of the function leaves it open. */
  to(parameter: NodeId, { node, parent, kind }: Scope): NodeId[] {
    const { tree } = this.#bound;
    const isPlain =
      kind === 'function' && parent?.kind === 'module' && tree.kind(node) === 'function_definition';
    if (!isPlain || tree.kind(tree.parent(node)) === 'decorated_definition') return [];
    const name = tree.textOf(tree.child(node, 'name'));
    const calls = this.#callsOf(name);
    if (calls.length === 0 || parent.bindings.get(name)?.sites.length !== 1) return [];
    const parameters = parametersOf(tree, node);
    const at = parameters.findIndex((each) => each.node === parameter);
    const parameterName = tree.textOf(parameters[at]?.name ?? none);
    const values = calls.map((call) => this.#argument(call, at, parameterName));
    return values.includes(none) || !this.#isOnlyCalled(name, calls.length) ? [] : values;
  }

  #argument(call: NodeId, at: number, name: string): NodeId {
    const { tree } = this.#bound;
    if (lookup(tree.textOf(tree.child(call, 'function')), this.#bound.scopeAt(call))?.kind !== 'module')
      return none;
    const given = tree.children(tree.child(call, 'arguments'));
    if (given.some((argument) => tree.kind(argument).endsWith('splat'))) return none;
    const keyword = given.find((argument) => tree.textOf(tree.child(argument, 'name')) === name);
    if (keyword !== undefined && tree.kind(keyword) === 'keyword_argument')
      return tree.child(keyword, 'value');
    const positional = given.filter((argument) => tree.kind(argument) !== 'keyword_argument');
    return positional[at] ?? none;
  }

  /** A function that is also passed on may be called with anything. */
  #isOnlyCalled(name: string, calls: number): boolean {
    const known = this.#areOnlyCalled.get(name);
    if (known !== undefined) return known;
    if (this.#areOnlyCalled.size >= mostSearches) return false;
    const { tree } = this.#bound;
    let mentions = 0;
    for (let node = 0; node < tree.size; node++)
      if (tree.kind(node) === 'identifier' && tree.field(node) !== 'attribute' && tree.textOf(node) === name)
        mentions++;
    // The definition itself is one.
    const isOnly = mentions === calls + 1;
    this.#areOnlyCalled.set(name, isOnly);
    return isOnly;
  }
}
