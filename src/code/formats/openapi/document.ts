/** A value of a JSON or YAML document, with its offset in the text. */
export type DocumentNode = MapNode | ListNode | ScalarNode;

export interface MapNode {
  readonly kind: 'map';
  readonly at: number;
  /** In the order of the text; a key that is given twice is there twice. */
  readonly entries: readonly DocumentEntry[];
}

interface ListNode {
  readonly kind: 'list';
  readonly at: number;
  readonly items: readonly DocumentNode[];
}

interface ScalarNode {
  readonly kind: 'scalar';
  readonly at: number;
  readonly value: unknown;
}

export interface DocumentEntry {
  readonly key: string;
  readonly keyAt: number;
  readonly value: DocumentNode | null;
}

export function isMap(node: DocumentNode | null): node is MapNode {
  return node?.kind === 'map';
}

/** The value of the first entry with this key. */
export function child(node: DocumentNode | null, key: string): DocumentNode | null {
  return entries(node).find((entry) => entry.key === key)?.value ?? null;
}

export function entries(node: DocumentNode | null): readonly DocumentEntry[] {
  return isMap(node) ? node.entries : [];
}

export function items(node: DocumentNode | null): readonly DocumentNode[] {
  return node?.kind === 'list' ? node.items : [];
}

/** Null for maps and lists, and where there is no value. */
export function scalar(node: DocumentNode | null): string | null {
  return node?.kind === 'scalar' ? String(node.value) : null;
}

/** Every entry of a map, at every depth, in the order of the text. */
export function* allEntries(root: DocumentNode | null): Generator<DocumentEntry> {
  const open: DocumentEntry[] = entriesIn(root).toReversed();
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    yield entry;
    for (const below of entriesIn(entry.value).toReversed()) open.push(below);
  }
}

/** The entries of the outermost maps in a value: a list may hold several. */
function entriesIn(node: DocumentNode | null): readonly DocumentEntry[] {
  return node?.kind === 'list' ? node.items.flatMap(entriesIn) : entries(node);
}
