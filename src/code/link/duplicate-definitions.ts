import type { Definition, DefinitionKind, Facts, Span } from '#code/facts/facts.ts';
import { indexOf, symbolPath } from '#code/facts/facts-index.ts';

export interface DuplicateDefinition {
  /** Symbol path of the name that is defined more than once. */
  readonly name: string;
  readonly at: readonly Span[];
}

type Family = 'typescript' | 'javascript' | 'python' | 'data' | undefined;

/** In TypeScript a name may stand once for a value and once for a type; these kinds take the place given. */
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

/** Python: assigning again is ordinary; only these kinds are meant to exist once. */
const definedOnce = new Set<DefinitionKind>(['function', 'class', 'method', 'constructor', 'enum-member']);

/** Names that stand for two things in one scope, where the language lets only one of them live. */
export function duplicateDefinitions(facts: Facts, family: Family): DuplicateDefinition[] {
  if (family === undefined || family === 'data') return [];
  const groups = new Map<string, Definition[]>();
  for (const definition of facts.definitions) {
    const key = `${definition.static ? 'static ' : ''}${symbolPath(definition)}`;
    groups.set(key, [...(groups.get(key) ?? []), definition]);
  }
  const found = [...groups.values()].flatMap((group) => clash(group, family));
  return family === 'python' ? found : [...found, ...importClashes(facts), ...exportClashes(facts)];
}

function clash(group: readonly Definition[], family: Family): DuplicateDefinition[] {
  const [first] = group;
  if (!first || group.length < 2) return [];
  const plain = group.filter(({ overload, conditional, ambient }) => !overload && !conditional && !ambient);
  const clashing =
    family === 'python'
      ? plain.filter(({ kind, decorators }) => definedOnce.has(kind) && decorators.length === 0)
      : mostCrowdedSpace(plain);
  return clashing.length < 2 ? [] : [{ name: symbolPath(first), at: clashing }];
}

function mostCrowdedSpace(group: readonly Definition[]): readonly Definition[] {
  const values = group.filter(({ kind }) => spaces[kind].includes('value'));
  const types = group.filter(({ kind }) => spaces[kind].includes('type'));
  return values.length >= types.length ? values : types;
}

/** An imported name that is imported again, or defined beside the import. */
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

/** A name that a module exports twice: passed on from two places, or two defaults. */
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
