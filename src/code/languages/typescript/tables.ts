import { elementOf } from '#code/languages/shared/results.ts';
import { objectMembers } from './members.ts';
import { type Placed, place } from './placement.ts';
import { childIn, isList, type Reading } from './reading.ts';
import { Kind, Role } from './tree/grammar.ts';
import { unwrapped } from './types.ts';

/**
 * The values of a constant table, `[{ key, label }, …]` or `{ draft: { label }, … }`, as a type of its own: `Formats.[]`. It has the keys of
 * all its objects, since the compiler lets code read a key that only some of them have.
 */
export function tableMembers(reading: Reading, value: number, of: Placed, found: Placed[]): void {
  const objects = reading.variant === 'js' ? null : objectsIn(reading, value);
  const [first] = objects ?? [];
  if (objects === null || first === undefined) return;
  const from = reading.tree.start[first] as number;
  const table = place(reading, 'type', elementOf, of.path, of.node, from, of.definition.ambient);
  const container = { path: table.path, ambient: of.definition.ambient };
  const members: Placed[] = [];
  const isOpen = objects.map((object) => objectMembers(reading, object, container, members));
  found.push(table, ...oneOfEach(members, objects.length));
  table.definition.members = { open: isOpen.includes(true) };
}

/** The objects of a list, or the values of an object; null when one of them is anything else. */
function objectsIn(reading: Reading, value: number): number[] | null {
  const { tree } = reading;
  const isOfList = isList(reading, value);
  const objects: number[] = [];
  for (let node = value + 1; node < (tree.after[value] as number); node = tree.after[node] as number) {
    if (!isOfList && tree.kind[node] !== Kind.Property) return null;
    const entry = isOfList ? node : childIn(tree, node, Role.value);
    const object = entry < 0 ? -1 : unwrapped(reading, entry);
    if (object < 0 || tree.kind[object] !== Kind.Object) return null;
    objects.push(object);
  }
  return objects;
}

/** One definition of each key of several objects: what it holds counts only if they agree. */
export function oneOfEach(members: readonly Placed[], objects: number): Placed[] {
  return [...Map.groupBy(members, ({ path }) => path).values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { definition } = first;
    if (others.length < objects - 1) definition.optional = true;
    if (others.length === 0) return [first];
    const all = [definition, ...others.map((other) => other.definition)];
    definition.signature = null;
    definition.optional ||= all.some(({ optional }) => optional);
    if (all.some(({ type }) => type !== definition.type)) definition.type = null;
    const literals = all.map((each) => each.literals);
    definition.literals = literals.every((list) => list !== null) ? [...new Set(literals.flat())] : null;
    return [first];
  });
}
