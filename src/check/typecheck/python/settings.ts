/**
 * Settings of a checker are never copied. Each one that is known to be harmless is read, checked and written again. The rest is left out:
 * settings that load code, name a program, read or write elsewhere, or change the form of the output.
 */

/** The value of a setting: text in INI files, any value in TOML and JSON. */
export type Setting = boolean | string | readonly string[];

/** The value to write; null when this setting may not have it. */
type Kind = (value: unknown) => Setting | null;

export type AllowList = ReadonlyMap<string, Kind>;

export function keep(
  settings: Readonly<Record<string, unknown>>,
  allowed: (key: string) => Kind | undefined,
): [key: string, value: Setting][] {
  return Object.entries(settings).flatMap(([key, value]): [string, Setting][] => {
    const kept = allowed(key)?.(value) ?? null;
    return kept === null ? [] : [[key, kept]];
  });
}

const truths = new Map([
  ...['1', 'yes', 'true', 'on'].map((word) => [word, true] as const),
  ...['0', 'no', 'false', 'off'].map((word) => [word, false] as const),
]);

export const flag: Kind = (value) =>
  typeof value === 'boolean' ? value : (truths.get(String(value).toLowerCase()) ?? null);

export const version: Kind = (value) => (/^\d+(\.\d+)?$/.test(String(value)) ? String(value) : null);

export const word: Kind = (value) => (typeof value === 'string' && isWord(value) ? value : null);

/** Names of modules, error codes, features. */
export const words: Kind = (value) => listOf(value, /,/, isWord);

/** Files and folders of the tree, with wildcards. */
export const paths: Kind = (value) => listOf(value, /,/, isInside);

export const path: Kind = (value) => (typeof value === 'string' && isInside(value) ? value : null);

/** Regular expressions. In INI files they may have several lines, which are written as several lines again. */
export const patterns: Kind = (value) => {
  const list = Array.isArray(value) ? value : [value];
  return list.every((each) => typeof each === 'string') && list.every(isPattern) ? list : null;
};

export function listOf(
  value: unknown,
  separator: RegExp,
  isGood: (item: string) => boolean,
): readonly string[] | null {
  const items = typeof value === 'string' ? value.split(separator) : value;
  if (!Array.isArray(items)) return null;
  const good = items
    .map((item) => (typeof item === 'string' ? item.trim() : ''))
    .filter((item) => item !== '' && isGood(item));
  return good.length > 0 ? good : null;
}

const isWord = (text: string): boolean => /^[\p{L}\p{N}_.*-]+$/u.test(text);

/** Relative, without `..`, and without anything a checker would expand: `~`, `$HOME`, `%TEMP%`, `${env:HOME}`. */
export function isInside(text: string): boolean {
  return (
    /^[\p{L}\p{N}_ .,+@=*?[\]/-]+$/u.test(text) &&
    !/^[/-]/.test(text) &&
    text.split('/').every((part) => part !== '..')
  );
}

function isPattern(text: string): boolean {
  return text.length <= mostPattern && text.split('\n').every(isPlain);
}

const mostPattern = 10_000;

/** Without characters that end lines or that some parser treats as blanks. */
function isPlain(text: string): boolean {
  return !/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text);
}
