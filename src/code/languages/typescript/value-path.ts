import { elementOf, heldValue } from '#code/languages/shared/results.ts';
import { oneElement, sameElements } from '#code/languages/shared/type-text.ts';
import type { Root } from './use-list.ts';

/** Names and values on the way to a result. */
export const mostSteps = 8;
const mostCalls = 4;

/** A result of a result is followed through the methods of lists and maps alone. */
export function isFollowed(called: readonly string[]): boolean {
  const before = called[0]?.split('(').length ?? 1;
  if (before === 1) return true;
  const method = called.at(-1) ?? '';
  const isOfList = sameElements.has(method) || oneElement.has(method) || method === 'get';
  return before <= mostCalls && isOfList;
}

/** The path to a member of a value: `Kysely.introspection.(held).getTables`. */
export function valuePath({ root, rootIs }: Root, path: readonly string[]): string[] {
  if (rootIs !== 'instance' || path.length < 2) return [root, ...path];
  return [root, ...path.flatMap((name, at) => (at === path.length - 1 ? [name] : [name, heldValue]))];
}

/** A list, map or record, whose own members are those of the language. */
export function isContainer(type: string): boolean {
  return /[^.]\[\]$/.test(type) || /^(?:readonly |(?:Readonly)?(?:Array|Set|Map)<|Record<).*>$/s.test(type);
}

/** The elements of a value that has a written type, or that a call gave. */
export function elementOfWritten(type: string | null): string | null {
  return type !== null && /[)\]>}]$/.test(type) ? `${type}.${elementOf}` : null;
}
