import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { stringValue } from './expressions.ts';

/** A read of one key: `row['name']`. */
export interface KeyRead {
  readonly key: string;
  /** The whole subscript. */
  readonly top: NodeId;
}

const plainKey = /^[A-Za-z_][\w-]{0,60}$/;

/** The key that is read from a value; null where there is none, where it is written or may be missing. */
export function keyRead(tree: SyntaxTree, value: NodeId): KeyRead | null {
  const top = tree.parent(value);
  if (tree.kind(top) !== 'subscript' || tree.field(value) !== 'value') return null;
  const subscript = tree.child(top, 'subscript');
  const key = subscript === none ? null : stringValue(tree, subscript);
  if (key === null || !plainKey.test(key) || isWritten(tree, top)) return null;
  return isTolerated(tree, top) ? null : { key, top };
}

function isWritten(tree: SyntaxTree, subscript: NodeId): boolean {
  if (tree.field(subscript) === 'left') return true;
  const above = tree.parent(subscript);
  if (tree.kind(above) === 'expression_list') return tree.kind(tree.parent(above)) === 'delete_statement';
  return /^(?:delete_statement|pattern_list|tuple_pattern|list_pattern)$/.test(tree.kind(above));
}

const missingKey = /\b(?:KeyError|LookupError|(?:Base)?Exception)\b|^except\s*:/;

/** `except KeyError` around it, or a test that expects the error. */
function isTolerated(tree: SyntaxTree, from: NodeId): boolean {
  for (let child = from, node = tree.parent(from); node !== none; child = node, node = tree.parent(node)) {
    const kind = tree.kind(node);
    if (kind === 'function_definition' || kind === 'class_definition') return false;
    if (kind === 'with_statement' && missingKey.test(tree.textOf(tree.firstChild(node)))) return true;
    if (kind !== 'try_statement' || tree.field(child) !== 'body') continue;
    const clauses = tree.children(node).filter((clause) => tree.kind(clause) === 'except_clause');
    const headers = clauses.map((clause) =>
      tree.text.slice(tree.start(clause), tree.start(tree.childOfKind(clause, 'block'))),
    );
    if (headers.some((header) => missingKey.test(header))) return true;
  }
  return false;
}

/** Longer functions are not searched for code that fills a variable. */
const longest = 20_000;

/**
 * The keys that the code of a function gives to a variable or tests for: `row['star'] = 1`, `'star' in row`; null where it may give any,
 * `row.update(more)`. The text decides; it is asked only about dictionaries that may be known.
 */
export function keysGivenIn(text: string, name: string): ReadonlySet<string> | null {
  if (text.length > longest) return null;
  if (new RegExp(`\\b${name}(?:\\.(?:update|setdefault)\\(|\\s\\|=)`).test(text)) return null;
  const given = new RegExp(
    `\\b${name}\\[["']([\\w-]+)["']\\]\\s?=(?!=)|["']([\\w-]+)["'] (?:not )?in ${name}\\b`,
    'g',
  );
  return new Set([...text.matchAll(given)].map(([, written, tested]) => written ?? tested ?? ''));
}
