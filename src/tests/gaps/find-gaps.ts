import { isCode } from '#code/languages/index.ts';
import { moduleWord } from '#code/languages/module-word.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { Git } from '#git/call/git.ts';
import { filesWithWords } from '#git/trees/grep.ts';
import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import { type AddedSymbol, addedSymbols } from './added-symbols.ts';
import { edgesOf } from './edges-of.ts';
import { Reach } from './reach.ts';

export interface GapSources {
  readonly git: Git;
  readonly base: CodeTree;
  readonly tip: CodeTree;
  /** Files that were added, changed or renamed; `oldPath` is null for added ones. */
  readonly changed: readonly { readonly path: string; readonly oldPath: string | null }[];
}

export interface Gaps {
  readonly symbols: readonly AddedSymbol[];
  readonly gaps: readonly AddedSymbol[];
  /** Files without readable facts. */
  readonly unreadable: readonly string[];
}

/** A longer import chain from a test to a symbol is not intentional. */
const mostSteps = 12;

/** Public symbols a change adds that no test reaches through imports. */
export async function findGaps({ git, base, tip, changed }: GapSources): Promise<Gaps> {
  const sources = changed.filter(({ path }) => isCode(path) && !isTestCode(path) && !isFixture(path));
  await tip.loadFacts(sources.map(({ path }) => path));
  await base.loadFacts(sources.flatMap(({ oldPath }) => oldPath ?? []));
  const symbols = sources.flatMap(({ path, oldPath }) => {
    const after = tip.facts(path);
    return after ? addedSymbols(path, oldPath === null ? undefined : base.facts(oldPath), after) : [];
  });
  const unreadable = sources.filter(({ path }) => !tip.facts(path)).map(({ path }) => path);
  return { symbols, gaps: await unreached(git, tip, symbols), unreadable };
}

async function unreached(git: Git, tip: CodeTree, symbols: readonly AddedSymbol[]): Promise<AddedSymbol[]> {
  const reach = new Reach(symbols, isTestCode);
  const read = new Set<string>();
  const asked = new Set<string>();
  for (let step = 0; step < mostSteps && reach.open.length > 0; step++) {
    const words = [
      ...(step === 0 ? reach.open.map(({ name }) => name).filter((name) => name !== 'default') : []),
      ...reach.modules.map(moduleWord),
    ].filter((word) => !asked.has(word));
    if (words.length === 0) break;
    for (const word of words) asked.add(word);
    const holding = await filesWithWords(git, tip.git.id, [...new Set(words)]);
    const files = [...reach.modules, ...holding].filter(
      (path) => isCode(path) && !isFixture(path) && !read.has(path),
    );
    await tip.loadFacts(files);
    for (const path of new Set(files)) {
      read.add(path);
      const facts = tip.facts(path);
      if (facts) reach.read(path, facts, await edgesOf(tip, path));
    }
    reach.settle();
  }
  return reach.open;
}
