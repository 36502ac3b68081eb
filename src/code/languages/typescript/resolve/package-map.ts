/**
 * `exports` and `imports` of a package.json as Node reads them, with one difference that TypeScript has too: where Node takes the first
 * condition that holds, all targets that hold are listed, because a target that is not in the tree (build output) falls through to the next
 * one.
 */
import { asObject } from '#lib/json-value.ts';

const deepest = 16;

export interface PackageTargets {
  /** Targets in order, `*` replaced; empty when the map excludes the entry. */
  readonly targets: readonly string[];
  /** A key of the map matches the entry. */
  readonly matched: boolean;
}

/** `entry` is `.`, `./sub/path` or `#name`. */
export function targetsOf(map: unknown, entry: string, conditions: ReadonlySet<string>): PackageTargets {
  const keys = asKeys(map);
  const match = matchKey(keys, entry);
  if (match === undefined) return { targets: [], matched: false };
  const targets = new Set<string>();
  collect(keys.get(match.key), conditions, targets, 0);
  return { targets: [...targets].map((target) => substitute(target, match)), matched: true };
}

/** Every target a map names under any condition. */
export function allTargets(map: unknown): string[] {
  const targets = new Set<string>();
  for (const value of asKeys(map).values()) collect(value, null, targets, 0);
  return [...targets];
}

/** A string, a list or a set of conditions means the package itself. */
function asKeys(map: unknown): ReadonlyMap<string, unknown> {
  const entries = Object.entries(asObject(map));
  const isKeyed = entries.some(([key]) => key.startsWith('.') || key.startsWith('#'));
  return isKeyed ? new Map(entries) : new Map([['.', map]]);
}

interface KeyMatch {
  readonly key: string;
  readonly star: string | undefined;
}

/** An exact key, else the pattern with the longest text before its star, as in Node. */
function matchKey(keys: ReadonlyMap<string, unknown>, entry: string): KeyMatch | undefined {
  if (keys.has(entry) && !entry.includes('*')) return { key: entry, star: undefined };
  let best: (KeyMatch & { readonly prefix: number }) | undefined;
  for (const key of keys.keys()) {
    const star = key.indexOf('*');
    const isFolder = star < 0 && key.endsWith('/');
    if (star < 0 && !isFolder) continue;
    const prefix = isFolder ? key : key.slice(0, star);
    const suffix = isFolder ? '' : key.slice(star + 1);
    if (entry.length <= prefix.length + suffix.length) continue;
    if (!entry.startsWith(prefix) || !entry.endsWith(suffix)) continue;
    if (
      best &&
      (best.prefix > prefix.length || (best.prefix === prefix.length && best.key.length >= key.length))
    )
      continue;
    best = { key, star: entry.slice(prefix.length, entry.length - suffix.length), prefix: prefix.length };
  }
  return best;
}

/** Returns false when a `null` excludes the rest. `conditions` null takes every branch. */
function collect(
  value: unknown,
  conditions: ReadonlySet<string> | null,
  targets: Set<string>,
  depth: number,
): boolean {
  if (typeof value === 'string') targets.add(value);
  if (typeof value !== 'object' || depth > deepest) return true;
  if (value === null) return false;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, conditions, targets, depth + 1);
    return true;
  }
  for (const [condition, branch] of Object.entries(value)) {
    const holds = conditions === null || conditions.has(condition) || condition.startsWith('types@');
    if (holds && !collect(branch, conditions, targets, depth + 1) && conditions !== null) return false;
  }
  return true;
}

function substitute(target: string, { key, star }: KeyMatch): string {
  if (star === undefined) return target;
  return key.endsWith('/') && !key.includes('*') ? target + star : target.replaceAll('*', () => star);
}
