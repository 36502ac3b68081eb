import { compilePattern } from './wildmatch.ts';

/** One line of a `.gitignore`. */
interface IgnoreRule {
  readonly isNegated: boolean;
  readonly isForFolders: boolean;
  /** Compared with the last part of a path only. */
  readonly isForNames: boolean;
  matches(name: string): boolean;
}

interface RulesOf {
  /** The folder of the `.gitignore`, with a slash at the end; empty for the root. */
  readonly folder: string;
  readonly rules: readonly IgnoreRule[];
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
    const lists = texts.map((text) => ({ folder: '', rules: readRules(text, isCaseFolded) }));
    return new IgnoreRules(lists, isCaseFolded);
  }

  /** Adds the rules of the `.gitignore` in a folder. */
  with(folder: string, text: string): IgnoreRules {
    const rules = readRules(text, this.#isCaseFolded);
    if (rules.length === 0) return this;
    const prefix = folder === '' ? '' : `${folder}/`;
    return new IgnoreRules([{ folder: prefix, rules }, ...this.#lists], this.#isCaseFolded);
  }

  ignores(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const { folder, rules } of this.#lists) {
      const below = path.slice(folder.length);
      const found = rules.find(
        (rule) => (isFolder || !rule.isForFolders) && rule.matches(rule.isForNames ? name : below),
      );
      if (found) return !found.isNegated;
    }
    return false;
  }
}

const byteOrderMark = '\xef\xbb\xbf';

/** Last line first: it overrides the lines before it. */
function readRules(text: string, isCaseFolded: boolean): IgnoreRule[] {
  return (text.startsWith(byteOrderMark) ? text.slice(byteOrderMark.length) : text)
    .split('\n')
    .flatMap((line) => readRule(line.endsWith('\r') ? line.slice(0, -1) : line, isCaseFolded))
    .reverse();
}

function readRule(line: string, isCaseFolded: boolean): IgnoreRule[] {
  if (line.startsWith('#')) return [];
  const trimmed = withoutTrailingSpaces(line);
  const isNegated = trimmed.startsWith('!');
  const positive = isNegated ? trimmed.slice(1) : trimmed;
  const isForFolders = positive.endsWith('/');
  const pattern = isForFolders ? positive.slice(0, -1) : positive;
  if (positive === '') return [];
  const isForNames = !pattern.includes('/');
  const matches = compilePattern(pattern.startsWith('/') ? pattern.slice(1) : pattern, isCaseFolded);
  return [{ isNegated, isForFolders, isForNames, matches }];
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
