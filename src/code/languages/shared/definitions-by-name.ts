import type { Definition, Facts } from '#code/facts/facts.ts';
import { symbolPath } from '#code/facts/facts-index.ts';
import type { DuplicateDefinition } from '#code/languages/dialect.ts';

/** Names with several definitions in a file; `clashing` returns those that cannot coexist. */
export function clashesByName(
  facts: Facts,
  clashing: (plain: readonly Definition[]) => readonly Definition[],
): DuplicateDefinition[] {
  const groups = new Map<string, Definition[]>();
  for (const definition of facts.definitions) {
    const key = `${definition.static ? 'static ' : ''}${symbolPath(definition)}`;
    groups.set(key, [...(groups.get(key) ?? []), definition]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < 2) return [];
    const at = clashing(
      group.filter(({ overload, conditional, ambient }) => !overload && !conditional && !ambient),
    );
    return at.length < 2 ? [] : [{ name: symbolPath(first), at }];
  });
}

/** Methods of one name differ by the types of their parameters. */
export function sameSignature(definitions: readonly Definition[]): readonly Definition[] {
  const groups = Map.groupBy(definitions, ({ signature }) =>
    JSON.stringify(signature?.parameters.map(({ type, kind }) => [type, kind])),
  );
  return [...groups.values()].find(({ length }) => length > 1) ?? [];
}
