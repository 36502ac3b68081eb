import type { CheckContext } from '#check/context.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { dialectOf } from '#code/languages/index.ts';

interface Kept {
  readonly words: readonly string[];
  readonly missing: readonly (readonly [file: string, missing: readonly string[] | null])[];
}

/**
 * What files of base import by some words although it is not there. It reads texts alone, each once: facts of a file
 * cost ten times as much, and nearly all imports of base lead to something.
 */
export class MissingInBase {
  readonly #context: CheckContext;
  readonly #words: readonly string[];
  /** By file: `../generated/client.js`; null when its imports are not told by texts in quotes. */
  readonly #missing: Map<string, readonly string[] | null>;

  constructor(context: CheckContext, words: readonly string[]) {
    this.#context = context;
    this.#words = words;
    this.#missing = new Map(this.#known());
  }

  /** What an earlier check found in the same base by these words and perhaps by more. */
  #known(): Kept['missing'] {
    const { outcomes, base, pythonRoots } = this.#context;
    if (this.#words.length === 0) return [];
    const question = ['missing in base', base.tree, pythonRoots];
    const [known] = outcomes.read([question]) as [Kept | undefined];
    if (known && this.#words.every((word) => known.words.includes(word))) return known.missing;
    const missing = () => [...this.#missing];
    outcomes.remember(question, {
      words: this.#words,
      // Answers are written at the end of the check, and only then it is all there.
      get missing() {
        return missing();
      },
    } satisfies Kept);
    return [];
  }

  /** Of these files those that may import something by one of the words, all of which were given at first, in vain. */
  async filesWith(files: readonly string[], words: readonly string[]): Promise<string[]> {
    if (words.length === 0) return [];
    await this.#read(files.filter((file) => !this.#missing.has(file)));
    return files.filter((file) => {
      const missing = this.#missing.get(file);
      return !missing || missing.some((specifier) => words.some((word) => specifier.includes(word)));
    });
  }

  async #read(files: readonly string[]): Promise<void> {
    const { workspace, trees, base } = this.#context;
    const tree = await trees.get(base.tree);
    const texts = await Promise.all(files.map((file) => readText(workspace, tree.git.blob(file))));
    for (const [index, file] of files.entries()) {
      const text = texts[index];
      if (!text || dialectOf(file)?.imports.specifiers !== 'paths') {
        this.#missing.set(file, null);
        continue;
      }
      const missing: string[] = [];
      for (const specifier of quotedWith(text, this.#words)) {
        const { status } = await tree.resolve(specifier, file);
        if (status === 'missing' || status === 'unknown') missing.push(specifier);
      }
      this.#missing.set(file, missing);
    }
  }
}

/** Texts in quotes that contain one of the words: every import by that word is among them. */
function quotedWith(text: string, words: readonly string[]): Set<string> {
  const quoted = new Set<string>();
  // A quote may end one text and begin the next: an apostrophe in a comment hides nothing.
  for (const [, content = ''] of text.matchAll(/["'`](?=([^"'`\s]+)["'`])/g)) quoted.add(content);
  return new Set([...quoted].filter((content) => words.some((word) => content.includes(word))));
}
