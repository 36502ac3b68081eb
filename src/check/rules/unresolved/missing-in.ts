import type { CheckContext } from '#check/context.ts';
import { readText } from '#check/rules/text/read-text.ts';
import { dialectOf } from '#code/languages/index.ts';

/**
 * Of these files of base those that may import something by one of the words which is not there. It reads texts alone:
 * facts of a file cost ten times as much, and nearly all imports of base lead to something.
 */
export async function missingIn(
  { workspace, trees, base }: CheckContext,
  files: readonly string[],
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return [];
  const tree = await trees.get(base.tree);
  const texts = await Promise.all(files.map((file) => readText(workspace, tree.git.blob(file))));
  const isMissing = async (specifier: string, from: string) => {
    const { status } = await tree.resolve(specifier, from);
    return status === 'missing' || status === 'unknown';
  };
  const mayMiss = async (file: string, text: string | null | undefined) => {
    if (!text || dialectOf(file)?.imports.specifiers !== 'paths') return true;
    for (const specifier of quotedWith(text, words)) if (await isMissing(specifier, file)) return true;
    return false;
  };
  const found: string[] = [];
  for (const [index, file] of files.entries()) if (await mayMiss(file, texts[index])) found.push(file);
  return found;
}

/** Texts in quotes that contain one of the words: every import by that word is among them. */
function quotedWith(text: string, words: readonly string[]): Set<string> {
  const quoted = new Set<string>();
  for (const [, content = ''] of text.matchAll(/(?=["'`]([^"'`\s]+)["'`])/g))
    if (words.some((word) => content.includes(word))) quoted.add(content);
  return quoted;
}
