import type { Git } from '#git/call/git.ts';
import { decodePath } from '#git/call/path-bytes.ts';

/** Files of a tree that hold at least one of the words. */
export async function filesWithWords(git: Git, tree: string, words: readonly string[]): Promise<string[]> {
  const usable = words.filter((word) => word !== '' && !/[\n\0]/.test(word));
  if (usable.length === 0) return [];
  const found = await git.run(['grep', '-I', '-l', '-z', '-w', '-F', '-f', '-', tree], {
    accept: [0, 1],
    input: usable.map((word) => `${word}\n`).join(''),
  });
  return found.stdout
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => decodePath(Buffer.from(name, 'latin1')).slice(tree.length + 1));
}
