import { fileOf } from '#check/risk/symbol-graph.ts';
import { usesBetween } from '#check/risk/uses-between.ts';
import { isTestFile } from '#tests/code/test-path.ts';
import type { Rule } from './rule.ts';
import type { Seams } from './survey/seams.ts';
import type { Sighting, Spot } from './survey/survey.ts';

export const sharedBlastRadius = {
  id: 'G02',
  name: 'shared-blast-radius',
  category: 'risk',
  severity: 'minor',
  needsRisk: true,
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.6,
  alarms: { merges: 320, with: 16 },
  measured: { findings: 34, real: 34 },
  what: 'Two branches change different things, neither uses what the other changed, and yet the same tests or entry points depend on both. Nothing else was found between the two; these are the tests to run on both together. Found with `--risk`.',
  example: { a: ['~ db/pool.ts'], b: ['~ cache/index.ts   // api/server.test.ts depends on both'] },
  move: 'Run the named tests on the union before landing the second one.',
  proof: ['possible'],
  owner: 'either',
  detect: { seams: commonGround },
} satisfies Rule;

/** A change that half of the tests depend on is irrelevant for this pair. */
const mostReached = 0.25;
/** With fewer files to watch, every change reaches many of them. */
const fewestWatched = 8;
const mostNamed = 5;

/** What a branch reaches, and through which of its symbols. */
interface Reach {
  readonly ref: string;
  readonly by: ReadonlyMap<string, string>;
}

function* commonGround(seams: Seams): Iterable<Sighting> {
  const watched = watchedFiles(seams);
  const limit = watched.size < fewestWatched ? watched.size : watched.size * mostReached;
  const reaches = seams.branches.map((branch) => reachOf(seams, branch, watched));
  for (const [at, a] of reaches.entries())
    for (const b of reaches.slice(at + 1)) {
      const [left, right] = [seams.side(a.ref), seams.side(b.ref)];
      if (!left || !right || !seams.isApart(left, right) || seams.isTold(a.ref, b.ref)) continue;
      if (Math.max(a.by.size, b.by.size) > limit || isDirect(seams, a.ref, b.ref)) continue;
      const shared = [...a.by.keys()].filter((file) => b.by.has(file)).sort();
      const [first] = shared;
      if (first === undefined) continue;
      const spot = (side: typeof left, symbol: string): Spot => ({
        side,
        file: fileOf(symbol),
        line: seams.lineOf(symbol),
        name: symbol.slice(symbol.lastIndexOf('#') + 1),
      });
      const [one, other] = [spot(left, a.by.get(first) ?? ''), spot(right, b.by.get(first) ?? '')];
      const named = shared.slice(0, mostNamed).join(', ');
      const more = shared.length > mostNamed ? ` and ${shared.length - mostNamed} more` : '';
      yield {
        key: `${one.file} ${other.file}`,
        provider: one,
        sites: [other],
        subject: shared,
        confidence: 'possible',
        message: `${named}${more} depend on ${one.name} of ${a.ref} and on ${other.name} of ${b.ref}`,
        suggestion: `run on both together: ${named}${more}`,
      };
    }
}

/** One changed what the other changed or uses: other rules cover that. */
function isDirect({ branches, graph }: Seams, one: string, other: string): boolean {
  const [a, b] = [branches.find(({ ref }) => ref === one), branches.find(({ ref }) => ref === other)];
  if (!a || !b) return true;
  return (
    [...a.symbols].some((symbol) => b.symbols.has(symbol)) ||
    usesBetween(a, b, graph).size > 0 ||
    usesBetween(b, a, graph).size > 0
  );
}

/** Tests, and the entry files of programs. */
function watchedFiles({ graph }: Seams): Set<string> {
  const used = new Set([...graph.edges.values()].flatMap((targets) => [...targets.keys()].map(fileOf)));
  const isEntrance = (file: string) =>
    /(^|\/)(main|cli|server|app|manage|wsgi|asgi|__main__)\.\w+$/.test(file) && !used.has(file);
  const users = new Set([...graph.edges.keys()].map(fileOf));
  return new Set([...users].filter((file) => isTestFile(file) || isEntrance(file)));
}

function reachOf({ impact }: Seams, branch: Seams['branches'][number], watched: ReadonlySet<string>): Reach {
  const by = new Map<string, string>();
  const own = new Set([...branch.symbols].map(fileOf));
  for (const symbol of [...branch.symbols].sort())
    for (const dependent of impact.dependents(symbol)) {
      const file = fileOf(dependent);
      // A branch that changes the test itself knows about the change.
      if (watched.has(file) && !own.has(file) && !by.has(file)) by.set(file, symbol);
    }
  return { ref: branch.ref, by };
}
