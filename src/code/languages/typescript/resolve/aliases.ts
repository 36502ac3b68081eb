import { asStrings, type JsonObject } from '#lib/json-value.ts';

/** The `paths` of a tsconfig, indexed so that a lookup does not scan all of them. */
export interface Aliases {
  /** Targets by specifier, for patterns without `*`. */
  readonly exact: ReadonlyMap<string, readonly string[]>;
  /** Patterns with one `*`, by the text before it. */
  readonly byPrefix: ReadonlyMap<string, readonly AliasPattern[]>;
  /** Lengths of the prefixes, longest first: the longest prefix wins. */
  readonly prefixLengths: readonly number[];
}

interface AliasPattern {
  readonly prefix: string;
  readonly suffix: string;
  readonly targets: readonly string[];
}

interface AliasTarget {
  /** As written, with the star replaced. */
  readonly path: string;
  /** The target is written with an extension, which TypeScript then takes literally. */
  readonly isFile: boolean;
}

export interface AliasMatch {
  /** In the order they are tried. */
  readonly targets: readonly AliasTarget[];
  /** `*` alone matches everything, so it does not make a specifier first-party. */
  readonly catchAll: boolean;
}

export function compileAliases(paths: JsonObject): Aliases {
  const exact = new Map<string, readonly string[]>();
  const byPrefix = new Map<string, AliasPattern[]>();
  for (const [pattern, value] of Object.entries(paths)) {
    const targets = asStrings(value) ?? [];
    const [prefix = '', suffix, ...more] = pattern.split('*');
    if (suffix === undefined) exact.set(pattern, targets);
    // TypeScript reports a second star as an error and ignores the pattern.
    if (suffix === undefined || more.length > 0) continue;
    const filed = byPrefix.get(prefix) ?? [];
    filed.push({ prefix, suffix, targets });
    byPrefix.set(prefix, filed);
  }
  const prefixLengths = [...new Set([...byPrefix.keys()].map((prefix) => prefix.length))].sort(
    (a, b) => b - a,
  );
  return { exact, byPrefix, prefixLengths };
}

export function matchAlias(aliases: Aliases, specifier: string): AliasMatch | undefined {
  const targets = aliases.exact.get(specifier);
  if (targets !== undefined) return { targets: fill(targets, ''), catchAll: false };
  for (const length of aliases.prefixLengths) {
    const pattern = aliases.byPrefix
      .get(specifier.slice(0, length))
      ?.find(({ suffix }) => specifier.length >= length + suffix.length && specifier.endsWith(suffix));
    if (pattern === undefined) continue;
    const star = specifier.slice(length, specifier.length - pattern.suffix.length);
    return {
      targets: fill(pattern.targets, star),
      catchAll: pattern.prefix === '' && pattern.suffix === '',
    };
  }
  return undefined;
}

function fill(targets: readonly string[], star: string): AliasTarget[] {
  return targets.map((target) => ({
    path: target.replace('*', () => star),
    isFile: /\.(?:[cm]?[jt]sx?|json)$/.test(target),
  }));
}
