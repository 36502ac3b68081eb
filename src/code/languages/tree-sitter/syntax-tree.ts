/** Node number in preorder; the root is 0. */
export type NodeId = number;

export const none: NodeId = -1;

const nonAscii = /[^\0-\x7f]/;

/**
 * A syntax tree copied from the parser into flat arrays in preorder: named nodes without comments. Preorder makes every pass a plain loop
 * (no recursion, however deep the nesting), and the parser's memory is freed at once.
 */
export class SyntaxTree {
  readonly text: string;
  /** Node kinds as the grammar names them. */
  readonly kinds: readonly string[];
  readonly fields: readonly (string | null)[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly parents: readonly NodeId[];
  /** The first node after the subtree: children of `n` are `n + 1`, `after[n + 1]`, … while below `after[n]`. */
  readonly after: readonly NodeId[];
  readonly #isAscii: boolean;

  constructor(columns: TreeColumns) {
    this.text = columns.text;
    this.kinds = columns.kinds;
    this.fields = columns.fields;
    this.starts = columns.starts;
    this.ends = columns.ends;
    this.parents = columns.parents;
    this.after = columns.after;
    this.#isAscii = !nonAscii.test(columns.text);
  }

  get size(): number {
    return this.kinds.length;
  }

  kind(node: NodeId): string {
    return node === none ? '' : (this.kinds[node] ?? '');
  }

  start(node: NodeId): number {
    return this.starts[node] ?? 0;
  }

  end(node: NodeId): number {
    return this.ends[node] ?? 0;
  }

  /** Source text; identifiers in the form in which Python compares them. */
  textOf(node: NodeId): string {
    if (node === none) return '';
    const text = this.text.slice(this.starts[node], this.ends[node]);
    return this.#isAscii || this.kinds[node] !== 'identifier' ? text : text.normalize('NFKC');
  }

  parent(node: NodeId): NodeId {
    return this.parents[node] ?? none;
  }

  field(node: NodeId): string | null {
    return this.fields[node] ?? null;
  }

  firstChild(node: NodeId): NodeId {
    const child = node + 1;
    return child < this.subtreeEnd(node) ? child : none;
  }

  nextSibling(node: NodeId): NodeId {
    const parent = this.parent(node);
    const next = this.subtreeEnd(node);
    return parent !== none && next < this.subtreeEnd(parent) ? next : none;
  }

  children(node: NodeId): NodeId[] {
    const found: NodeId[] = [];
    if (node === none) return found;
    const end = this.subtreeEnd(node);
    for (let child = node + 1; child < end; child = this.subtreeEnd(child)) found.push(child);
    return found;
  }

  child(node: NodeId, field: string): NodeId {
    if (node === none) return none;
    const end = this.subtreeEnd(node);
    for (let child = node + 1; child < end; child = this.subtreeEnd(child)) {
      if (this.fields[child] === field) return child;
    }
    return none;
  }

  childOfKind(node: NodeId, kind: string): NodeId {
    const end = this.subtreeEnd(node);
    for (let child = node + 1; child < end; child = this.subtreeEnd(child)) {
      if (this.kinds[child] === kind) return child;
    }
    return none;
  }

  /** The first node after the subtree of `node`, which is also the end of the loop over its descendants. */
  subtreeEnd(node: NodeId): NodeId {
    return this.after[node] ?? this.size;
  }
}

export interface TreeColumns {
  readonly text: string;
  readonly kinds: readonly string[];
  readonly fields: readonly (string | null)[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly parents: readonly NodeId[];
  readonly after: readonly NodeId[];
}
