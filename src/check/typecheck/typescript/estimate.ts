import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import type { Rung } from './ladder.ts';

/** What the cost of checking a project depends on. */
export interface Asked {
  readonly config: string;
  readonly text: string | null;
  readonly kind: Rung['kind'];
}

/** The expected cost of checking all of them. */
export interface Estimate {
  readonly seconds: number;
  /** Projects that contain a changed file, and their sources. */
  readonly projects: number;
  readonly megabytes: number;
}

/** CPU seconds measured on projects of 0.01 to 13 MB: for the libraries of the language, and per megabyte. */
const costs = {
  native: { start: 0.15, megabyte: 1 },
  classic: { start: 1, megabyte: 5 },
} as const;

/** A project without changed files may still import one: to find out, it has to be parsed. */
const parsing = 0.25;

const source = /\.[cm]?tsx?$/i;
const sourceOrScript = /\.[cm]?[jt]sx?$/i;

/** What a compiler may read. */
export function isSource(path: string): boolean {
  return sourceOrScript.test(path) && !/(^|\/)node_modules\//.test(path);
}

/**
 * Estimated from the tree alone. Neither the speed of this machine nor its cache may decide whether
 * a checker runs: the same commits get the same verdict.
 */
export function estimate(
  sizes: ReadonlyMap<string, number>,
  projects: readonly Asked[],
  changed: readonly string[],
  wholeRuns: number,
): Estimate {
  let [seconds, holding, megabytes] = [0, 0, 0];
  for (const { config, text, kind } of projects) {
    const { folders, readsScripts } = scopeOf(config, text);
    const isInside = (path: string) =>
      (readsScripts || source.test(path)) && folders.some((folder) => isBelow(path, folder));
    const own = [...sizes].reduce((sum, [path, size]) => sum + (isInside(path) ? size : 0), 0) / 1e6;
    const isHolding = changed.some(isInside);
    const { start, megabyte } = costs[kind];
    seconds += wholeRuns * (start + own * megabyte) * (isHolding ? 1 : parsing);
    if (!isHolding) continue;
    holding++;
    megabytes += own;
  }
  return { seconds, projects: holding, megabytes };
}

interface Settings {
  readonly include?: unknown;
  readonly files?: unknown;
  readonly compilerOptions?: { readonly allowJs?: unknown; readonly checkJs?: unknown };
}

/** Folders that a project searches for sources: the part of each pattern before its first wildcard. */
function scopeOf(config: string, text: string | null): { folders: string[]; readsScripts: boolean } {
  const settings = (text === null ? null : (parse(text) as Settings | null | undefined)) ?? {};
  const { include, files, compilerOptions } = settings;
  const home = posix.dirname(config);
  const patterns = strings(include) ?? (Array.isArray(files) ? [] : ['**/*']);
  const named = [...patterns, ...(strings(files) ?? [])];
  const folders = named.map((pattern) =>
    posix.join(home, pattern.replace(/(?<![^/])[^/*?]*[*?][\s\S]*$/, '')),
  );
  const readsScripts = compilerOptions?.allowJs === true || compilerOptions?.checkJs === true;
  return { folders: folders.map((folder) => folder.replace(/\/$/, '')), readsScripts };
}

function strings(value: unknown): string[] | null {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}

function isBelow(path: string, folder: string): boolean {
  return folder === '.' || folder === '' || path === folder || path.startsWith(`${folder}/`);
}
