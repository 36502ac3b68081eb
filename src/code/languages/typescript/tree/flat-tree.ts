import { Kind } from './grammar.ts';

/**
 * A syntax tree in pre-order, one column per property. Node 0 is the program; the children of node `n` start at `n + 1`, and `after[c]` is
 * the next sibling of `c`. Positions are UTF-16 offsets into the text.
 *
 * The columns are reused from file to file: a tree is valid until the next one is read.
 */
export class FlatTree {
  count = 0;
  kind = new Uint8Array(0);
  role = new Uint8Array(0);
  flags = new Int32Array(0);
  start = new Int32Array(0);
  end = new Int32Array(0);
  parent = new Int32Array(0);
  after = new Int32Array(0);
  /** Union of the flags of all nodes. */
  allFlags = 0;
  /** 1 for each kind that occurs. */
  readonly kinds = new Uint8Array(256);
  /** Regular expressions and text between tags, in order: a tokenizer cannot recognise them reliably. */
  verbatim: number[] = [];

  clear(): void {
    this.count = 0;
    this.allFlags = 0;
    this.kinds.fill(0);
    this.verbatim = [];
  }

  /** Appends a node. After the last one, call `close` to compute where subtrees end. */
  add(kind: number, role: number, flags: number, start: number, end: number, parent: number): number {
    const node = this.count;
    if (node === this.kind.length) this.grow();
    this.kind[node] = kind;
    this.role[node] = role;
    this.flags[node] = flags;
    this.start[node] = start;
    this.end[node] = end;
    this.parent[node] = parent;
    this.after[node] = node + 1;
    this.allFlags |= flags;
    this.kinds[kind] = 1;
    if (kind === Kind.RegExp || kind === Kind.JsxText) this.verbatim.push(node);
    this.count = node + 1;
    return node;
  }

  /** Nodes are in pre-order, so one backward pass carries the end of each subtree up to its parent. */
  close(): void {
    const { parent, after } = this;
    for (let node = this.count - 1; node > 0; node--) {
      const above = parent[node] as number;
      const end = after[node] as number;
      if ((after[above] as number) < end) after[above] = end;
    }
  }

  /** Whether a node of this kind exists. Most files lack most kinds. */
  contains(kind: number): boolean {
    return this.kinds[kind] === 1;
  }

  /** The next node of a rare kind, from `node` on, or -1. The search is native. */
  next(kind: number, node: number): number {
    const found = this.kind.indexOf(kind, node);
    return found < this.count ? found : -1;
  }

  grow(): void {
    const size = Math.max(4096, this.kind.length * 2);
    const wider = (from: Int32Array<ArrayBuffer>) => {
      const to = new Int32Array(size);
      to.set(from);
      return to;
    };
    const widerBytes = (from: Uint8Array<ArrayBuffer>) => {
      const to = new Uint8Array(size);
      to.set(from);
      return to;
    };
    this.kind = widerBytes(this.kind);
    this.role = widerBytes(this.role);
    this.flags = wider(this.flags);
    this.start = wider(this.start);
    this.end = wider(this.end);
    this.parent = wider(this.parent);
    this.after = wider(this.after);
  }
}
