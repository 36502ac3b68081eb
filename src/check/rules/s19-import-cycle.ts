import type { Member, ReadMember } from '#check/members/member.ts';
import { dialectOf } from '#code/languages/index.ts';
import type { CodeTree } from '#code/link/code-tree.ts';
import type { ImportEdge } from '#code/link/import-edges.ts';
import { place } from '#code/link/problem.ts';
import { reachableInRounds } from '#lib/graph.ts';
import { symbolId } from '#schema/identity.ts';
import type { CodePair, Found, Rule } from './rule.ts';
import { textProblem } from './text/text-problem.ts';

export const importCycle = {
  id: 'S19',
  name: 'import-cycle',
  category: 'connection',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.92,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'Each branch adds an import, and only together do they form a cycle. Modules may then be used before they are initialised. Reported where one of the imports leads directly to a file that the other branch changed; the rest of the cycle may go through any files.',
  example: { a: ['  a.py:', '+ import b'], b: ['  b.py:', '+ import a'] },
  move: 'Move what both need into a third module, or import inside the function that needs it.',
  proof: ['proven', 'likely'],
  owner: 'neither',
  detect: {
    canMeet: canClose,
    code: importCycles,
  },
} satisfies Rule;

/** At most this many files are read to find the rest of a cycle; longer cycles are not reported. */
const reach = 300;

/** Import cycles that exist only with the new imports of both members. */
async function importCycles({ a, b, union }: CodePair): Promise<Found[]> {
  if (!canClose(a, b)) return [];
  const [ofA, ofB] = [a.newImports, b.newImports];
  // Linking no files still makes the tree ready to resolve imports.
  await union.link([]);
  const graph = new Imports(union);
  const reached = await graph.reached(ofA.map(({ to }) => to));
  const meeting = ofB.filter(({ from }) => reached.has(from));
  const found = new Map<string, Found>();
  for (const edgeOfB of meeting) {
    // Old branches add thousands of imports each, so the way back is computed first: few of them have one.
    const back = await graph.from(edgeOfB.to);
    const closing = ofA.filter(({ from }) => back.has(from));
    if (closing.length === 0 || (await isClosedAlone(b, edgeOfB))) continue;
    for (const edgeOfA of closing) {
      const there = wayTo(edgeOfB.from, await graph.from(edgeOfA.to));
      if (!there || (await isClosedAlone(a, edgeOfA))) continue;
      const cycle = [edgeOfA, ...there, edgeOfB, ...(wayTo(edgeOfA.from, back) ?? [])];
      const key = [...new Set(cycle.map(({ from }) => from))].sort().join(' ');
      if (!found.has(key)) found.set(key, diagnosed(a, b, edgeOfB, cycle, union));
    }
  }
  return [...found.values()];
}

/** Both add imports, and one of them leads to a file that the other has changed. */
function canClose(a: Member, b: Member): boolean {
  const [ofA, ofB] = [a.newImports, b.newImports];
  if (ofA.length === 0 || ofB.length === 0) return false;
  return ofA.some(({ to }) => b.changed.has(to)) || ofB.some(({ to }) => a.changed.has(to));
}

/** Whether the import is part of a cycle in its own branch. Cached: a branch is compared with many others. */
async function isClosedAlone(member: ReadMember, edge: ImportEdge): Promise<boolean> {
  const alone = ownImports.get(member.tree) ?? { graph: new Imports(member.tree), closed: new Map() };
  ownImports.set(member.tree, alone);
  const answer = alone.closed.get(edge) ?? (await alone.graph.reached([edge.to])).has(edge.from);
  alone.closed.set(edge, answer);
  return answer;
}

const ownImports = new WeakMap<
  CodeTree,
  { readonly graph: Imports; readonly closed: Map<ImportEdge, boolean> }
>();

/** The shortest path to a file, as edges; null when there is none, or none within reach. */
function wayTo(file: string, reached: Reached): ImportEdge[] | null {
  if (!reached.has(file)) return null;
  const way: ImportEdge[] = [];
  for (let edge = reached.get(file); edge; edge = reached.get(edge.from)) way.unshift(edge);
  return way;
}

/** Files, each with the first edge that reached it; null for the start. */
type Reached = ReadonlyMap<string, ImportEdge | null>;

/** The import graph of one tree, read on demand. */
class Imports {
  readonly #tree: CodeTree;
  /** By file that was read. */
  readonly #edges = new Map<string, readonly (readonly [string, ImportEdge])[]>();
  readonly #known = new Map<string, Reached>();

  constructor(tree: CodeTree) {
    this.#tree = tree;
  }

  /** All files reachable from these, themselves included. */
  reached(starts: readonly string[]): Promise<Reached> {
    return reachableInRounds(starts, (paths) => this.#importedBy(paths), reach);
  }

  /** The same for one file, cached. */
  async from(start: string): Promise<Reached> {
    const known = this.#known.get(start) ?? (await this.reached([start]));
    this.#known.set(start, known);
    return known;
  }

  async #importedBy(paths: readonly string[]): Promise<(readonly [string, ImportEdge])[]> {
    const unread = paths.filter((path) => !this.#edges.has(path));
    if (unread.length > 0) await this.#tree.loadFacts(unread);
    for (const path of unread)
      this.#edges.set(
        path,
        this.#tree.importEdges(path).map((edge) => [edge.to, edge] as const),
      );
    return paths.flatMap((path) => this.#edges.get(path) ?? []);
  }
}

function diagnosed(
  a: ReadMember,
  b: ReadMember,
  edgeOfB: ImportEdge,
  cycle: readonly ImportEdge[],
  union: CodeTree,
): Found {
  const files = [...cycle.map(({ from }) => from), cycle[0]?.from ?? ''];
  const readsNames = dialectOf(edgeOfB.from)?.imports.readNamesAtLoad === true;
  const proven = readsNames && failsInAnyOrder(cycle, union);
  const matters = cycle.some(({ name, isUsedAtLoad }) => isUsedAtLoad || (readsNames && name !== null));
  const span = { line: edgeOfB.line, column: 1, endLine: edgeOfB.line };
  const [first] = cycle;
  const at = first ? place(first.from, { line: first.line, column: 1, endLine: first.line }, '') : null;
  return {
    problem: {
      ...textProblem('S19', [edgeOfB.from], files.join(' imports ')),
      proven,
      sites: [place(edgeOfB.from, span, '')],
      tier: 'R1',
    },
    consumer: b,
    provider: a,
    diagnosis: {
      providerKey: symbolId([...new Set(files)].sort().join(' '), ''),
      confidence: proven ? 'proven' : 'likely',
      ...(matters ? {} : { severity: 'minor' as const }),
      message: `${a.ref} and ${b.ref} together create an import cycle: ${files.join(' → ')}`,
      suggestion: 'move what both need into a module of its own, or import inside the function that needs it',
      sitesAreOfBranch: true,
      provider: at ? { ...at, removed: false } : null,
    },
  };
}

/**
 * Two Python modules that each import a name from the other before they define their own: whichever is imported first
 * is only partly initialised when the other one needs it.
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
