import { isCode } from '#code/languages/index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';

/** Uses between symbols: top-level symbols (`src/a.ts#save`), and the file itself for code outside of them. */
export interface SymbolGraph {
  readonly symbols: ReadonlySet<string>;
  /** From the user to the used symbol, each pair once, with the number of uses. */
  readonly edges: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly files: number;
  readonly uses: number;
  /** There are more files than were read. */
  readonly isCut: boolean;
}

/** A larger tree is read in part: the files that branches change come first. */
const mostFiles = 20_000;

export async function readSymbolGraph(tree: CodeTree, changed: ReadonlySet<string>): Promise<SymbolGraph> {
  const all = tree.git.matching(isCode);
  const paths = [...all.filter((path) => changed.has(path)), ...all.filter((path) => !changed.has(path))];
  const read = paths.slice(0, mostFiles);
  await tree.link(read);
  const symbols = new Set<string>();
  const edges = new Map<string, Map<string, number>>();
  let uses = 0;
  for (const path of read) {
    for (const { name, container } of tree.facts(path)?.definitions ?? [])
      if (container === null) symbols.add(`${path}#${name}`);
    for (const { use, path: target, definition } of tree.uses(path, () => true)) {
      const from = `${path}#${topOf(use.scope)}`;
      const to = `${target}#${topOf(definition.container ?? definition.name)}`;
      if (from === to) continue;
      uses++;
      const known = edges.get(from) ?? new Map<string, number>();
      known.set(to, (known.get(to) ?? 0) + 1);
      edges.set(from, known);
    }
  }
  return { symbols, edges, files: read.length, uses, isCut: paths.length > read.length };
}

/** `User.save` belongs to User. */
function topOf(path: string): string {
  return path.split('.')[0] ?? path;
}

export function fileOf(symbol: string): string {
  return symbol.slice(0, symbol.lastIndexOf('#'));
}
