import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Repository } from '#git/call/repository.ts';
import type { ObjectReader } from '#git/objects/object-reader.ts';
import type { OutcomeStore } from './outcome-store.ts';

/** A longer list costs more than it saves. */
const mostLacking = 50_000;

/** What a clone lacked when its objects were stored as `state` says. */
interface Lacked {
  readonly state: string;
  readonly ids: readonly string[];
}

type Clone = Pick<Repository, 'key' | 'objectsDir'>;

/** Objects that earlier checks did not find in this clone and that have not arrived since. */
export async function stillLacking(
  outcomes: OutcomeStore,
  objects: Pick<ObjectReader, 'header'>,
  clone: Clone,
): Promise<readonly string[]> {
  const [known] = outcomes.read([lackingIn(clone)]) as [Lacked | undefined];
  if (known === undefined || known.ids.length === 0) return [];
  // Git searches all packs again for each object that is not there.
  if (known.state === objectsState(clone.objectsDir)) return known.ids;
  const headers = await Promise.all(known.ids.map((id) => objects.header(id)));
  return known.ids.filter((_, at) => headers[at] === null);
}

/** Records what was not found, for the next check. */
export function rememberLacking(outcomes: OutcomeStore, clone: Clone, ids: readonly string[]): void {
  const [known] = outcomes.read([lackingIn(clone)]) as [Lacked | undefined];
  if (ids.length === 0 && known === undefined) return;
  const state = ids.length === 0 ? '' : objectsState(clone.objectsDir);
  outcomes.remember(lackingIn(clone), { state, ids } satisfies Lacked);
}

/** Null when there are too many, or when one was requested by another name than its id. */
export function lackingNow(known: Iterable<string>, missing: Iterable<string>): string[] | null {
  const all = [...new Set([...known, ...missing])].sort();
  return all.length <= mostLacking && all.every((id) => /^[0-9a-f]{40,64}$/.test(id)) ? all : null;
}

function lackingIn({ key }: Clone): [string, string] {
  return ['lacking', key];
}

/** Changes whenever an object or a pack is added to a store or to one that it borrows from. */
function objectsState(objectsDir: string): string {
  const seen = new Set<string>();
  const open = [objectsDir];
  const times: string[] = [];
  for (let dir = open.pop(); dir !== undefined && seen.size < mostStores; dir = open.pop()) {
    if (seen.has(dir)) continue;
    seen.add(dir);
    const folders = ['.', ...listed(dir).filter((name) => name === 'pack' || /^[0-9a-f]{2}$/.test(name))];
    times.push(...folders.map((name) => `${name} ${timeOf(join(dir, name))}`));
    const borrowed = textOf(join(dir, 'info', 'alternates'));
    times.push(borrowed);
    open.push(...borrowed.split('\n').flatMap((path) => (path === '' ? [] : resolve(dir, path))));
  }
  return hash('sha256', times.join('\n'));
}

/** Git follows alternates five deep. */
const mostStores = 32;

function listed(dir: string): string[] {
  try {
    return readdirSync(dir).sort();
  } catch {
    return [];
  }
}

function timeOf(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
