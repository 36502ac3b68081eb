import type { Git } from './git.ts';
import { decodePath } from './path-bytes.ts';

/** Files of a tree that hold a word. */
export async function filesWithWord(git: Git, tree: string, word: string): Promise<string[]> {
  if (word === '' || /[\n\0]/.test(word)) return [];
  const found = await git.run(['grep', '-I', '-l', '-z', '-w', '-F', '-e', word, tree], { accept: [0, 1] });
  return found.stdout
    .toString('latin1')
    .split('\0')
    .filter((name) => name !== '')
    .map((name) => decodePath(Buffer.from(name, 'latin1')).slice(tree.length + 1));
}
