import type { CheckContext } from '#check/context.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { dialectOf } from '#code/languages/index.ts';
import { escapePattern } from '#lib/escape-pattern.ts';

interface Kept {
  readonly words: readonly string[];
  readonly missing: readonly (readonly [file: string, missing: readonly string[] | null])[];
}

/** The texts of a thousand files at once take more time to collect than to read. */
const filesAtOnce = 50;

/**
 * Imports of base by certain words that resolve to nothing. It reads only texts, each once: facts of a file cost ten times as much, and
 * nearly all imports of base resolve.
 */
export class MissingInBase {
  readonly #context: CheckContext;
  readonly #words: readonly string[];
  /** By file: `../generated/client.js`; null when its imports are not quoted texts. */
  readonly #missing: Map<string, readonly string[] | null>;

  constructor(context: CheckContext, words: readonly string[]) {
    this.#context = context;
    this.#words = words;
    this.#missing = new Map(this.#known());
  }

  /** What an earlier check found in the same base for these words and perhaps for more. */
  #known(): Kept['missing'] {
    const { outcomes, base, pythonRoots } = this.#context;
    if (this.#words.length === 0) return [];
    const question = ['missing in base', base.tree, pythonRoots];
    const [known] = outcomes.read([question]) as [Kept | undefined];
    if (known && this.#words.every((word) => known.words.includes(word))) return known.missing;
    const missing = () => [...this.#missing];
    outcomes.remember(question, {
      words: this.#words,
      // Read when answers are written. Files that are not in it by then are read again by the next check.
      get missing() {
        return missing();
      },
    } satisfies Kept);
    return [];
  }

  /** Those of the files that may contain an unresolved import with one of the words. All words must be among those of the constructor. */
  async filesWith(files: readonly string[], words: readonly string[]): Promise<string[]> {
    if (words.length === 0) return [];
    const unread = files.filter((file) => !this.#missing.has(file));
    for (let at = 0; at < unread.length; at += filesAtOnce)
      await this.#read(unread.slice(at, at + filesAtOnce));
    return files.filter((file) => {
      const missing = this.#missing.get(file);
      return !missing || missing.some((specifier) => words.some((word) => specifier.includes(word)));
    });
  }

  async #read(files: readonly string[]): Promise<void> {
    const { workspace, trees, base } = this.#context;
    const tree = await trees.get(base.tree);
    const hasWord = anyOf(this.#words);
    const texts = await Promise.all(files.map((file) => readText(workspace, tree.git.blob(file))));
    for (const [index, file] of files.entries()) {
      const text = texts[index];
      if (!text || dialectOf(file)?.imports.specifiers !== 'paths') {
        this.#missing.set(file, null);
        continue;
      }
      const missing: string[] = [];
      for (const specifier of quotedWith(text, hasWord)) {
        const { status } = await tree.resolve(specifier, file);
        if (status === 'missing' || status === 'unknown') missing.push(specifier);
      }
      this.#missing.set(file, missing);
    }
  }
}

/** Quoted texts that contain one of the words: every import by that word is among them. */
function quotedWith(text: string, hasWord: RegExp): Set<string> {
  const quoted = new Set<string>();
  // A quote may end one text and start the next: an apostrophe in a comment hides nothing.
  for (const [, content = ''] of text.matchAll(/["'`](?=([^"'`\s]+)["'`])/g))
    if (hasWord.test(content)) quoted.add(content);
  return quoted;
}

function anyOf(words: readonly string[]): RegExp {
  return new RegExp(words.map(escapePattern).join('|'));
}
