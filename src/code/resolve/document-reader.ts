import type { Documents, Tree } from './tree.ts';

type Reading<T> =
  | { readonly status: 'read'; readonly value: T }
  /** `unloaded`: the tree has the file, but its text has not been loaded. `broken`: it cannot be parsed. */
  | { readonly status: 'absent' | 'unloaded' | 'broken' };

const absent = { status: 'absent' } as const;
const unloaded = { status: 'unloaded' } as const;
const broken = { status: 'broken' } as const;

type DocumentReader<T> = (tree: Tree, documents: Documents, path: string) => Reading<T>;

/**
 * Reads a document of a tree and parses each blob once per `Documents` object: resolvers of many trees that share one object share one
 * parse, and dropping it frees the memory. A document is broken when `parse` throws, or when its text is longer than `longest` characters,
 * because parsing it could take too long.
 */
export function documentReader<T>(parse: (text: string) => T, longest: number): DocumentReader<T> {
  const parsed = new WeakMap<Documents, Map<string, Reading<T>>>();
  return (tree, documents, path) => {
    const blob = tree.blob(path);
    if (blob === undefined) return absent;
    const byBlob = parsed.get(documents) ?? new Map<string, Reading<T>>();
    if (byBlob.size === 0) parsed.set(documents, byBlob);
    const known = byBlob.get(blob);
    if (known !== undefined) return known;
    const text = documents.text(blob);
    if (text === undefined) return unloaded;
    const reading = text.length > longest ? broken : attempt(parse, text);
    byBlob.set(blob, reading);
    return reading;
  };
}

function attempt<T>(parse: (text: string) => T, text: string): Reading<T> {
  try {
    return { status: 'read', value: parse(text.startsWith('\ufeff') ? text.slice(1) : text) };
  } catch {
    return broken;
  }
}
