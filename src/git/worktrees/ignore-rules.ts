import { compilePattern, foldedName, isPlain } from './wildmatch.ts';

/** One line of a `.gitignore`. */
interface IgnoreRule {
  /** Its line, counted from the last one: the smallest decides. */
  readonly order: number;
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Compared with the last part of a path only. */
  readonly isForNames: boolean;
  /** The only name it matches; null for a pattern. */
  readonly plain: string | null;
  matches(name: string): boolean;
}

interface RulesOf {
  /** The folder of the `.gitignore`, with a slash at the end; empty for the root. */
  readonly folder: string;
  /** Rules without special characters, by what they match: there may be very many. */
  readonly names: ReadonlyMap<string, readonly IgnoreRule[]>;
  readonly paths: ReadonlyMap<string, readonly IgnoreRule[]>;
  readonly patterns: readonly IgnoreRule[];
}

/**
 * The paths that `git add` would skip, decided without git: an agent that works in a folder may have configured programs for git to run
 * there. Paths and texts are bytes, held as latin1. An ignored folder is not entered, so callers never ask about paths below one.
 */
export class IgnoreRules {
  /** The nearest first. */
  readonly #lists: readonly RulesOf[];
  readonly #isCaseFolded: boolean;

  private constructor(lists: readonly RulesOf[], isCaseFolded: boolean) {
    this.#lists = lists;
    this.#isCaseFolded = isCaseFolded;
  }

  /** `texts`: contents of ignore files outside the folder, highest precedence first. */
  static from(texts: readonly string[], isCaseFolded = false): IgnoreRules {
    const lists = texts.map((text) => listOf('', readRules(text, isCaseFolded)));
    return new IgnoreRules(lists, isCaseFolded);
  }

  /** Adds the rules of the `.gitignore` in a folder. */
  with(folder: string, text: string): IgnoreRules {
    const rules = readRules(text, this.#isCaseFolded);
    if (rules.length === 0) return this;
    const prefix = folder === '' ? '' : `${folder}/`;
    return new IgnoreRules([listOf(prefix, rules), ...this.#lists], this.#isCaseFolded);
  }

  /** The number of patterns that a path is compared with, one after the other. */
  get patterns(): number {
    return this.#lists.reduce((sum, { patterns }) => sum + patterns.length, 0);
  }

  ignores(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const folded = foldedName(name, this.#isCaseFolded);
    const applies = (rule: IgnoreRule) => isFolder || !rule.isForFolders;
    for (const { folder, names, paths, patterns } of this.#lists) {
      const below = path.slice(folder.length);
      const plain = [names.get(folded), paths.get(foldedName(below, this.#isCaseFolded))].flatMap(
        (rules) => rules?.find(applies) ?? [],
      );
      const pattern = patterns.find((rule) => applies(rule) && rule.matches(rule.isForNames ? name : below));
      const [found] = [...plain, ...(pattern ? [pattern] : [])].sort((a, b) => a.order - b.order);
      if (found) return !found.isNegated;
    }
    return false;
  }
}

function listOf(folder: string, rules: readonly IgnoreRule[]): RulesOf {
  const plain = rules.filter((rule) => rule.plain !== null);
  const by = (isForNames: boolean) =>
    Map.groupBy(
      plain.filter((rule) => rule.isForNames === isForNames),
      (rule) => rule.plain ?? '',
    );
  return { folder, names: by(true), paths: by(false), patterns: rules.filter((rule) => rule.plain === null) };
}

const byteOrderMark = '\xef\xbb\xbf';

/** Last line first: it overrides the lines before it. */
function readRules(text: string, isCaseFolded: boolean): IgnoreRule[] {
  return (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text)
    .split('\n')
    .reverse()
    .flatMap((line, order) => readRule(line.endsWith('\r') ? line.slice(0, -1) : line, order, isCaseFolded));
}

function readRule(line: string, order: number, isCaseFolded: boolean): IgnoreRule[] {
  if (line.startsWith('#')) return [];
  const trimmed = withoutTrailingSpaces(line);
  const isNegated = trimmed.startsWith('!');
  const positive = isNegated ? trimmed.slice(1) : trimmed;
  const isForFolders = positive.endsWith('/');
  const pattern = isForFolders ? positive.slice(0, -1) : positive;
  if (positive === '') return [];
  const isForNames = !pattern.includes('/');
  const wanted = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const plain = isPlain(wanted) ? foldedName(wanted, isCaseFolded) : null;
  const matches = compilePattern(wanted, isCaseFolded);
  return [{ order, isNegated, isForFolders, isForNames, plain, matches }];
}

/** Keeps spaces after a backslash. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '\\') at += 1;
    else if (line[at] === ' ') continue;
    end = at + 1;
  }
  return line.slice(0, end);
}
