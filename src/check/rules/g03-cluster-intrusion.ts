import { fileOf } from '#check/risk/symbol-graph.ts';
import type { Rule } from './rule.ts';
import type { Seams } from './survey/seams.ts';
import type { Sighting, Spot } from './survey/survey.ts';

export const clusterIntrusion = {
  id: 'G03',
  name: 'cluster-intrusion',
  category: 'risk',
  severity: 'minor',
  needsRisk: true,
  languages: ['typescript', 'javascript', 'python'],
  precision: 0.6,
  alarms: { merges: 320, with: 4 },
  measured: { findings: 28, real: 28 },
  what: 'A branch that works in one part of the code changes a symbol of another part that several parts depend on, and another branch works in that part. A part is a cluster of files that use each other more than others. Found with `--risk`.',
  example: {
    a: ['~ billing/*.ts', '~ auth/session.ts   # others lean on it'],
    b: ['~ auth/login.ts, auth/token.ts'],
  },
  move: 'Leave the change to the branch that works there, or land it first and alone.',
  proof: ['possible'],
  owner: 'provider',
  detect: { seams: intrusions },
} satisfies Rule;

/** A branch is at home in a cluster with more than half of its changes, and at least this many. */
const fewestAtHome = 2;

function* intrusions(seams: Seams): Iterable<Sighting> {
  const homes = new Map(seams.branches.flatMap((branch) => homeOf(seams, branch)));
  for (const intruder of seams.branches) {
    const home = homes.get(intruder.ref);
    const side = seams.side(intruder.ref);
    if (home === undefined || !side) continue;
    const abroad = [...intruder.symbols]
      .filter((symbol) => (clusterOf(seams, symbol) ?? home) !== home && seams.impact.isBridge(symbol))
      .sort();
    for (const [cluster, symbols] of Map.groupBy(abroad, (symbol) => clusterOf(seams, symbol) ?? ''))
      for (const resident of seams.branches) {
        const other = seams.side(resident.ref);
        const isThere = homes.get(resident.ref) === cluster && resident !== intruder;
        const [symbol] = symbols;
        const [met] = [...resident.symbols].filter((each) => clusterOf(seams, each) === cluster).sort();
        if (!isThere || !other || !symbol || !met || !seams.isApart(side, other)) continue;
        yield {
          key: symbol,
          provider: spotOf(seams, side, symbol),
          sites: [spotOf(seams, other, met)],
          subject: symbol,
          confidence: 'possible',
          message: `${intruder.ref} works in ${home} and changes ${nameOf(symbol)} in ${cluster}, where ${resident.ref} works`,
          suggestion: `leave ${nameOf(symbol)} to ${resident.ref}, or land that change first`,
        };
      }
  }
}

function homeOf(seams: Seams, { ref, symbols }: Seams['branches'][number]): [string, string][] {
  const clusters = [...symbols].flatMap((symbol) => clusterOf(seams, symbol) ?? []);
  const [most] = [...Map.groupBy(clusters, (cluster) => cluster)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  if (!most || most[1].length < fewestAtHome || most[1].length * 2 <= clusters.length) return [];
  return [[ref, most[0]]];
}

function clusterOf({ clusters }: Seams, symbol: string): string | undefined {
  return clusters.get(fileOf(symbol));
}

function spotOf(seams: Seams, side: Spot['side'], symbol: string): Spot {
  return { side, file: fileOf(symbol), line: seams.lineOf(symbol), name: nameOf(symbol) };
}

function nameOf(symbol: string): string {
  return symbol.slice(symbol.lastIndexOf('#') + 1);
}
