import { childIn, childrenIn, keyName, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';

/** The literal of a node, as JSON: `"open"`, `2`, `-1`, `true`; null for everything else. */
export function literalOf(reading: Reading, node: number): string | null {
  const { tree, text } = reading;
  if (node < 0) return null;
  const raw = text.slice(tree.start[node] as number, tree.end[node] as number);
  switch (tree.kind[node]) {
    case Kind.String:
      return JSON.stringify(keyName(reading, node));
    case Kind.Number:
      return keyName(reading, node);
    case Kind.Unary:
      return /^-\s*\d/.test(raw) ? String(Number(raw.replaceAll(/[\s_]/g, ''))) : null;
    default:
      return /^(?:true|false)$/.test(raw) ? raw : null;
  }
}

/** The values of a type that is a union of literals; null for any other type. `null` and `undefined` are no literals; a field may have them. */
export function literalUnion(
  reading: Reading,
  type: number,
  { skipsNothing = false } = {},
): readonly string[] | null {
  const { tree } = reading;
  const isUnion = tree.kind[type] === Kind.Union;
  // `kind: 'opened'`; a keyword such as `string` has nothing below it.
  if (!isUnion && (tree.kind[type] !== Kind.Other || tree.kind[type + 1] !== Kind.String)) return null;
  const found: string[] = [];
  for (const part of isUnion ? childrenIn(tree, type, Role.type) : [type]) {
    if (skipsNothing && tree.kind[part] === Kind.Nullish) continue;
    // A keyword such as `string` has nothing below it.
    const isWrapped = tree.kind[part] === Kind.Other && (tree.after[part] as number) > part + 1;
    const literal = isWrapped ? literalOf(reading, part + 1) : null;
    if (literal === null) return null;
    found.push(literal);
  }
  return found;
}

/** The value of an enum member: explicit, or one more than the previous one; null when it is computed. */
export function enumValue(
  reading: Reading,
  member: number,
  before: string | null | undefined,
): string | null {
  const init = childIn(reading.tree, member, Role.init);
  if (init >= 0) return literalOf(reading, init);
  if (before === undefined) return '0';
  return before !== null && /^-?\d+$/.test(before) ? String(Number(before) + 1) : null;
}

/** The literals that an expression is compared with: `job.status === 2`, `switch (job.status) { case 'open': }`. */
export function literalsBeside(reading: Reading, node: number): { literal: string; at: number }[] {
  const { tree } = reading;
  const above = tree.parent[node] as number;
  if (tree.kind[above] === Kind.Switch && tree.role[node] !== Role.body)
    return childrenIn(tree, above, Role.body).flatMap((clause) => {
      const at = childIn(tree, clause, Role.test);
      const literal = at >= 0 && tree.kind[at] === Kind.String ? literalOf(reading, at) : null;
      return literal === null ? [] : [{ literal, at }];
    });
  const literal = literalBeside(reading, node);
  return literal === null ? [] : [{ literal, at: node }];
}

/** The literal that an expression is compared with, or its key: `job.status === 2`, `Status[2]`, `job.status === 'open'`. */
function literalBeside(reading: Reading, node: number): string | null {
  const { tree, text } = reading;
  const above = tree.parent[node] as number;
  const kind = tree.kind[above];
  if (kind !== Kind.Binary && kind !== Kind.ComputedMember) return null;
  const first = above + 1;
  const other = first === node ? (tree.after[first] as number) : first;
  // `job.status + 'ed'` does not depend on the values of the type.
  const isCompared = /[=!]=/.test(text.slice(tree.end[first], tree.start[tree.after[first] as number]));
  const isText = kind === Kind.Binary && isCompared && tree.kind[other] === Kind.String;
  return isText || tree.kind[other] === Kind.Number ? literalOf(reading, other) : null;
}
