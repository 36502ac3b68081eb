import type { Definition, DefinitionKind, Facts } from '#code/facts/facts.ts';
import { indexOf } from '#code/facts/facts-index.ts';
import type { DuplicateDefinition } from '#code/languages/dialect.ts';
import { clashesByName } from '#code/languages/shared/definitions-by-name.ts';

/** In TypeScript a name may exist once as a value and once as a type; each kind occupies these spaces. */
const spaces: Record<DefinitionKind, readonly ('value' | 'type')[]> = {
  function: ['value'],
  variable: ['value'],
  class: ['value', 'type'],
  interface: [],
  type: ['type'],
  enum: [],
  namespace: [],
  method: ['value'],
  constructor: ['value'],
  field: ['value'],
  accessor: [],
  'enum-member': ['value'],
};

export function duplicatesInScript(facts: Facts): DuplicateDefinition[] {
  return [...clashesByName(facts, mostCrowdedSpace), ...importClashes(facts), ...exportClashes(facts)];
}

function mostCrowdedSpace(group: readonly Definition[]): readonly Definition[] {
  const values = group.filter(({ kind }) => spaces[kind].includes('value'));
  const types = group.filter(({ kind }) => spaces[kind].includes('type'));
  return values.length >= types.length ? values : types;
}

/** An imported name that is imported again, or also defined. */
function importClashes(facts: Facts): DuplicateDefinition[] {
  const index = indexOf(facts);
  return [...index.importedNames].flatMap(([name, imports]) => {
    const statics = imports.filter(({ form }) => form === 'static');
    const values = index
      .definitions(null, name)
      .filter(({ kind, ambient }) => spaces[kind].length > 0 && !ambient);
    const at = [...statics, ...(statics.length > 0 ? values : [])];
    return at.length < 2 ? [] : [{ name, at }];
  });
}

/** A name that a module exports twice: re-exported from two places, or two defaults. */
function exportClashes(facts: Facts): DuplicateDefinition[] {
  const groups = Map.groupBy(facts.exports, ({ name }) => name);
  return [...groups].flatMap(([name, entries]) => {
    if (name === '*') return [];
    const passedOn = entries.filter(({ from }) => from !== null);
    const own = entries.filter(({ from }) => from === null);
    // Overloads and a type beside a value export one local name several times.
    const owners = [...new Map(own.map((entry) => [entry.local ?? entry.line, entry])).values()];
    const at = name === 'default' ? [...passedOn, ...owners] : [...passedOn, ...owners.slice(0, 1)];
    return at.length < 2 ? [] : [{ name, at: at.toSorted((a, b) => a.line - b.line) }];
  });
}
