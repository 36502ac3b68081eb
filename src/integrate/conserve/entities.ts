import { symbolPath } from '#code/facts/facts-index.ts';
import { languageOf } from '#code/languages/index.ts';

/** Something in a file that has a name. */
export interface Entity {
  /** Changes when its meaning may have changed: comments and white space do not count. */
  readonly hash: string;
  readonly line: number;
  readonly endLine: number;
}

/** Call once before `entitiesOf`: parsers are loaded on demand. */
export async function prepareEntities(paths: Iterable<string>): Promise<void> {
  await Promise.all([...new Set([...paths].map(languageOf))].map((language) => language?.prepare()));
}

/** Definitions, members, imports and exports of a text by name; null when its language is unknown or it does not parse. */
export function entitiesOf(path: string, text: string | null): Map<string, Entity> | null {
  const language = languageOf(path);
  if (text === null || !language) return null;
  const facts = language.extract(text);
  if (facts.syntaxError !== null || facts.module === 'data') return null;
  const entities = new Map<string, Entity>();
  const add = (name: string, hash: string, { line, endLine }: Omit<Entity, 'hash'>) => {
    // A name that is defined twice has the hashes of both.
    const known = entities.get(name);
    entities.set(name, { hash: known ? `${known.hash} ${hash}` : hash, line, endLine });
  };
  for (const definition of facts.definitions) {
    const { kind, bodyHash, signatureHash, async, optional } = definition;
    add(symbolPath(definition), [kind, bodyHash, signatureHash, async, optional].join(), definition);
  }
  for (const entry of facts.imports)
    add(`import ${entry.local ?? entry.imported} from ${entry.from}`, String(entry.imported), entry);
  for (const entry of facts.exports) add(`export ${entry.name}`, `${entry.from} ${entry.imported}`, entry);
  return entities;
}
