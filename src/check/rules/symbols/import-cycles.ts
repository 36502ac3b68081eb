import type { Member, ReadMember } from '#check/members/member.ts';
import type { DiagnosedProblem } from '#check/rules/diagnosis.ts';
import { textProblem } from '#check/rules/text/text-problem.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { ImportEdge } from '#code/link/import-edges.ts';
import { place } from '#code/link/problem.ts';
import { symbolId } from '#schema/identity.ts';

/** How many files are read to find the way back of a cycle; beyond that nothing is said. */
const reach = 300;

/** S19: circles of imports that only both members' new imports close. */
export async function importCycles(
  a: ReadMember,
  b: ReadMember,
  union: CodeTree,
): Promise<DiagnosedProblem[]> {
  if (!canClose(a, b)) return [];
  const [ofA, ofB] = [a.newImports, b.newImports];
  // Linking nothing still makes the tree ready to resolve imports.
  await union.link([]);
  const graph = new Imports(union);
  const reached = await graph.from(ofA.map(({ to }) => to));
  const meeting = ofB.filter(({ from }) => reached.has(from));
  const found = new Map<string, DiagnosedProblem>();
  for (const edgeOfB of meeting) {
    for (const edgeOfA of ofA) {
      const cycle = await graph.cycle(edgeOfA, edgeOfB);
      const key = cycle && [...new Set(cycle.map(({ from }) => from))].sort().join(' ');
      if (!cycle || !key || found.has(key)) continue;
      if (
        (await hasWay(a.tree, edgeOfA.to, edgeOfA.from)) ||
        (await hasWay(b.tree, edgeOfB.to, edgeOfB.from))
      )
        continue;
      found.set(key, diagnosed(a, b, edgeOfB, cycle, union));
    }
  }
  return [...found.values()];
}

/** Both add imports, and one of them leads to a file that the other has changed. */
export function canClose(a: Member, b: Member): boolean {
  const [ofA, ofB] = [a.newImports, b.newImports];
  if (ofA.length === 0 || ofB.length === 0) return false;
  return ofA.some(({ to }) => b.changed.has(to)) || ofB.some(({ to }) => a.changed.has(to));
}

async function hasWay(tree: CodeTree, from: string, to: string): Promise<boolean> {
  return (await new Imports(tree).way(from, to)) !== null;
}

/** The imports of one tree, read as far as somebody walks. */
class Imports {
  readonly #tree: CodeTree;

  constructor(tree: CodeTree) {
    this.#tree = tree;
  }

  /** All files that these lead to, themselves included; each with the edge by which it was first reached. */
  async from(starts: readonly string[]): Promise<Map<string, ImportEdge | null>> {
    const reached = new Map<string, ImportEdge | null>(starts.map((path) => [path, null]));
    let frontier = [...reached.keys()];
    while (frontier.length > 0 && reached.size < reach) {
      await this.#tree.loadFacts(frontier);
      const next: string[] = [];
      for (const path of frontier) {
        for (const edge of this.#tree.importEdges(path)) {
          if (reached.has(edge.to)) continue;
          reached.set(edge.to, edge);
          next.push(edge.to);
        }
      }
      frontier = next;
    }
    return reached;
  }

  /** The shortest way, as edges; null when there is none, or none within reach. */
  async way(from: string, to: string): Promise<ImportEdge[] | null> {
    const reached = await this.from([from]);
    if (!reached.has(to)) return null;
    const way: ImportEdge[] = [];
    for (let edge = reached.get(to); edge; edge = reached.get(edge.from)) way.unshift(edge);
    return way;
  }

  /** A circle through both edges. */
  async cycle(first: ImportEdge, second: ImportEdge): Promise<ImportEdge[] | null> {
    const there = await this.way(first.to, second.from);
    const back = there && (await this.way(second.to, first.from));
    return there && back ? [first, ...there, second, ...back] : null;
  }
}

function diagnosed(
  a: ReadMember,
  b: ReadMember,
  edgeOfB: ImportEdge,
  cycle: readonly ImportEdge[],
  union: CodeTree,
): DiagnosedProblem {
  const files = [...cycle.map(({ from }) => from), cycle[0]?.from ?? ''];
  const isPython = edgeOfB.from.endsWith('.py');
  const proven = isPython && failsInAnyOrder(cycle, union);
  const matters = cycle.some(({ name, isUsedAtLoad }) => isUsedAtLoad || (isPython && name !== null));
  const span = { line: edgeOfB.line, column: 1, endLine: edgeOfB.line };
  const [first] = cycle;
  const at = first ? place(first.from, { line: first.line, column: 1, endLine: first.line }, '') : null;
  return {
    problem: {
      ...textProblem([edgeOfB.from], `${files.join(' imports ')}`),
      kind: 'import-cycle',
      proven,
      sites: [place(edgeOfB.from, span, '')],
      tier: 'R1',
    },
    consumer: b,
    provider: a,
    diagnosis: {
      rule: 'S19',
      providerKey: symbolId([...new Set(files)].sort().join(' '), ''),
      confidence: proven ? 'proven' : 'likely',
      ...(matters ? {} : { severity: 'minor' as const }),
      message: `${a.ref} and ${b.ref} together close a circle of imports: ${files.join(' → ')}`,
      suggestion: 'move what both need into a module of its own, or import inside the function that needs it',
      fix: null,
      mechanical: { consumer: false, provider: false },
      sitesAreOfBranch: true,
      provider: at ? { ...at, removed: false } : null,
    },
  };
}

/**
 * Two Python modules that each take a name from the other before they have defined their own: whichever is imported
 * first, the other one finds it half made.
 */
function failsInAnyOrder(cycle: readonly ImportEdge[], union: CodeTree): boolean {
  if (cycle.length !== 2) return false;
  return cycle.every(({ to, name }) => {
    const facts = union.facts(to);
    const way = cycle.find(({ from }) => from === to);
    if (!facts || !way || name === null || facts.opaque.length > 0) return false;
    const own = facts.definitions.filter(
      (definition) => definition.container === null && definition.name === name,
    );
    const imported = facts.imports.some(({ local, scope }) => local === name && scope === '');
    return own.length > 0 && !imported && own.every(({ line }) => line > way.line);
  });
}
