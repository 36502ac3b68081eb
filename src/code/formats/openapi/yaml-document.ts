import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import type { DocumentNode } from './document.ts';

type YamlDocument =
  | { readonly root: DocumentNode | null }
  | { readonly error: { readonly line: number; readonly message: string } };

/** A YAML document with offsets. */
export function readYaml(text: string): YamlDocument {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  const [error] = document.errors;
  if (!error) return { root: nodeOf(document.contents) };
  const [message = ''] = error.message.split('\n');
  return { error: { line: counter.linePos(error.pos[0]).line, message } };
}

/** Null for aliases: what they stand for is read where it is defined. */
function nodeOf(node: unknown): DocumentNode | null {
  if (isScalar(node)) return { kind: 'scalar', at: offsetOf(node), value: node.value };
  if (isSeq(node))
    return { kind: 'list', at: offsetOf(node), items: node.items.flatMap((item) => nodeOf(item) ?? []) };
  if (!isMap(node)) return null;
  return {
    kind: 'map',
    at: offsetOf(node),
    entries: node.items.map(({ key, value }) => ({
      key: String(isScalar(key) ? key.value : key),
      keyAt: offsetOf(key),
      value: nodeOf(value),
    })),
  };
}

function offsetOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}
