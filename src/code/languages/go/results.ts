import type { Definition, TypeName } from '#code/facts/facts.ts';
import { elementOf } from '#code/languages/shared/results.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { namesOf } from './types.ts';

/** The declared results, without comments: `(user *User, err error)`. */
export function returnsText(tree: SyntaxTree, result: NodeId): string | null {
  if (result === none) return null;
  if (tree.kind(result) !== 'parameter_list') return tree.textOf(result);
  const parts = tree.children(result).map((each) => {
    const names = namesOf(tree, each).map((name) => tree.textOf(name));
    const type = tree.textOf(tree.child(each, 'type'));
    return names.length === 0 ? type : `${names.join(', ')} ${type}`;
  });
  return `(${parts.join(', ')})`;
}

/** How many values a function or method gives, and their types: `['User', null]` for `(*User, func())`, `['User[]']` for `[]User`. */
export function resultParts({ kind, signature }: Definition): readonly (TypeName | null)[] | null {
  if ((kind !== 'function' && kind !== 'method') || !signature) return null;
  const { returns, typeParameters } = signature;
  if (returns === null) return [];
  // A comment inside a type may contain anything.
  if (returns.includes('//') || returns.includes('/*')) return null;
  const parts = typesIn(returns);
  // With type parameters, a name may be one of them.
  return typeParameters.max > 0 ? parts.map(() => null) : parts.map(typeName);
}

/** `User` for `*User`, `(*User, error)`, `(user *User, err error)` and `(first, last *User)`. */
export function resultType(definition: Definition): TypeName | null {
  const first = resultParts(definition)?.[0] ?? null;
  return first?.endsWith(elementOf) ? null : first;
}

function typesIn(returns: string): string[] {
  if (!returns.startsWith('(')) return [returns];
  const inner = returns.slice(1, -1).trim();
  const entries = inner === '' ? [] : split(inner);
  const typed = entries.map(
    (entry) => /^(?!(?:chan|func|map|struct|interface)\b)\w+\s+(\S.*)$/s.exec(entry)?.[1],
  );
  if (typed.every((type) => type === undefined)) return entries;
  // `first, last *User`: the type stands after the last name.
  return typed.map((type, at) => type ?? typed.slice(at).find((later) => later !== undefined) ?? '');
}

/** Parts between the commas that are in no brackets. */
function split(text: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    if ('[{('.includes(character)) depth++;
    else if (']})'.includes(character)) depth--;
    if (character === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += character;
  }
  return parts.map((part) => part.trim());
}

function typeName(text: string): TypeName | null {
  const [, list, name] = /^(\[\w*\]|map\[[\w.*]+\])?\*?([A-Za-z_][\w.]*)$/.exec(text) ?? [];
  if (name === undefined) return null;
  return list === undefined ? name : `${name}${elementOf}`;
}
