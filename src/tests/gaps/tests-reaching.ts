import { isCode } from '#code/languages/index.ts';
import { moduleWord } from '#code/languages/module-word.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Git } from '#git/call/git.ts';
import { filesWithWords } from '#git/trees/grep.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import { edgesOf } from './edges-of.ts';

/** A longer import chain from a test to a module is not intentional. */
const mostSteps = 12;

/** Tests that load a module, directly or through others. */
export async function testsReaching(git: Git, tip: CodeTree, path: string): Promise<string[]> {
  const seen = new Set([path]);
  const tests = new Set<string>();
  let modules = [path];
  for (let step = 0; step < mostSteps && modules.length > 0; step++) {
    const words = [...new Set(modules.map(moduleWord))];
    const holding = await filesWithWords(git, tip.git.id, words);
    const files = holding.filter((file) => isCode(file) && !isFixture(file) && !seen.has(file));
    await tip.loadFacts(files);
    const next: string[] = [];
    for (const file of files) {
      const edges = await edgesOf(tip, file);
      if (!edges.some(({ to }) => modules.includes(to))) continue;
      seen.add(file);
      if (isTestCode(file)) tests.add(file);
      else next.push(file);
    }
    modules = next;
  }
  return [...tests].sort();
}
