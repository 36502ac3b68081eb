import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { OutcomeStore } from './outcome-store.ts';

/** A longer list costs more than it saves. */
const mostLacking = 50_000;

/** Objects that an earlier check did not find in this clone and that have not arrived since. */
export async function stillLacking(
  outcomes: OutcomeStore,
  objects: Pick<ObjectReader, 'header'>,
  clone: string,
): Promise<string[]> {
  const known = outcomes.readLacking(clone);
  const headers = await Promise.all(known.map((id) => objects.header(id)));
  return known.filter((_, at) => headers[at] === null);
}

/** Null when there are too many, or when one was requested by another name than its id. */
export function lackingNow(known: readonly string[], missing: ReadonlySet<string>): string[] | null {
  const all = [...new Set([...known, ...missing])].sort();
  return all.length <= mostLacking && all.every((id) => /^[0-9a-f]{40,64}$/.test(id)) ? all : null;
}
