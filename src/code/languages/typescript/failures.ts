import type { Failure } from '#code/facts/facts.ts';
import { dottedName, type Reading } from './reading.ts';
import { Kind } from './tree/grammar.ts';

const none: Failure = { raises: [], returnsNothing: false };

/** How a function reports failure. Nested functions are not included. */
export function failureOf(reading: Reading, callable: number): Failure {
  const { tree, text } = reading;
  const raises: string[] = [];
  let returnsNothing = false;
  const end = tree.after[callable] as number;
  for (let node = callable + 1; node < end; node++) {
    const kind = tree.kind[node];
    if (kind === Kind.Function || kind === Kind.Arrow || kind === Kind.Class)
      node = (tree.after[node] as number) - 1;
    else if (kind === Kind.Return)
      returnsNothing ||= /^return\s+(?:null|undefined)\b/.test(
        text.slice(tree.start[node] as number, tree.end[node] as number),
      );
    else if (kind === Kind.Other && text.startsWith('throw', tree.start[node] as number)) {
      const error = tree.kind[node + 1] === Kind.New ? dottedName(reading, node + 2) : null;
      if (error !== null && !raises.includes(error)) raises.push(error);
    }
  }
  return raises.length > 0 || returnsNothing ? { raises, returnsNothing } : none;
}
