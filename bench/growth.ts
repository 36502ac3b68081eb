import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Branch } from '#test/support/scenario/scenario.ts';
import type { Sources } from './corpora.ts';
import { type BenchRepository, earlierSources, realBranches, repositoryOf } from './history.ts';
import { type CheckCost, medianCpu, runCheck, runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, median, megabytes, renderTable, seconds } from './table.ts';

export const growth: Part = {
  name: 'growth',
  summary: 'cost by number of branches and of changed files, and memory for 10,000 files',
  run: runGrowth,
};

interface Load {
  readonly label: string;
  readonly branches: number;
  readonly filesEach: number;
}

interface Measured extends Load {
  readonly total: number;
  /** Git's time to merge every pair. A check only merges pairs that touch the same paths. */
  readonly merging: number;
  readonly peakBytes: number;
}

async function runGrowth({ full }: BenchOptions): Promise<string> {
  const base = earlierSources();
  const rounds = full ? 5 : 1;
  const byBranches = await measureAll(
    base,
    (full ? [2, 8, 32, 100] : [2, 8]).map((branches) => ({
      label: `${branches} branches`,
      branches,
      filesEach: 12,
    })),
    rounds,
  );
  const byFiles = await measureAll(
    base,
    (full ? [1, 4, 16] : [1, 4]).map((times) => ({
      label: `${times} × files`,
      branches: 8,
      filesEach: 5 * times,
    })),
    rounds,
  );
  return [
    `${base.size} files, cold cache, --confirm none; growth of CPU against the row above; apart, the text of all pairs merged by git`,
    table(byBranches, ({ branches }) => branches),
    '',
    table(byFiles, ({ filesEach }) => filesEach),
    '',
    await memory(base, full),
  ].join('\n');
}

async function measureAll(base: Sources, loads: readonly Load[], rounds: number): Promise<Measured[]> {
  const repositories: { load: Load; repository: BenchRepository; costs: CheckCost[]; merges: number[] }[] =
    [];
  try {
    for (const load of loads)
      repositories.push({
        load,
        repository: await repositoryOf(base, realBranches(load.branches, load.filesEach)),
        costs: [],
        merges: [],
      });
    for (let round = 0; round < rounds; round++) {
      for (const entry of repositories) {
        entry.costs.push(await coldCheck(entry.repository));
        entry.merges.push(await mergeEveryPair(entry.repository));
      }
    }
    return repositories.map(({ load, costs, merges }) => ({
      ...load,
      total: medianCpu(costs),
      merging: median(merges),
      peakBytes: Math.max(...costs.map(({ peakBytes }) => peakBytes)),
    }));
  } finally {
    for (const { repository } of repositories) rmSync(repository.dir, { recursive: true, force: true });
  }
}

async function coldCheck({ dir, branches }: BenchRepository): Promise<CheckCost> {
  const cache = mkdtempSync(join(tmpdir(), 'joinery-growth-'));
  try {
    return await runCheck(dir, cache, branches);
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** Git's own time to merge every pair of branches in one process. */
async function mergeEveryPair({ dir, branches }: BenchRepository): Promise<number> {
  const pairs = branches.flatMap((a, at) =>
    branches.slice(at + 1).map((b) => `refs/heads/${a} refs/heads/${b}`),
  );
  const script = 'printf "%s\\n" "$@" | git merge-tree --write-tree --stdin > /dev/null';
  const objects = mkdtempSync(join(tmpdir(), 'joinery-merges-'));
  try {
    const { cpuMs } = await runMeasured('bash', ['-c', script, 'bash', ...pairs], {
      cwd: dir,
      env: {
        GIT_OBJECT_DIRECTORY: objects,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: join(dir, '.git', 'objects'),
      },
    });
    return cpuMs;
  } finally {
    rmSync(objects, { recursive: true, force: true });
  }
}

function table(rows: readonly Measured[], size: (row: Measured) => number): string {
  return renderTable(
    ['', 'changed files', 'CPU', 'growth', 'linear would be', 'verdict', 'peak memory', 'git: all pairs'],
    rows.map((row, at) => {
      const before = rows[at - 1];
      const grown = before && row.total / before.total;
      const linear = before && size(row) / size(before);
      return [
        row.label,
        String(row.branches * row.filesEach),
        seconds(row.total),
        grown ? `${grown.toFixed(2)} ×` : '',
        linear ? `${linear.toFixed(2)} ×` : '',
        grown && linear ? judge(grown <= linear) : '',
        megabytes(row.peakBytes),
        seconds(row.merging),
      ];
    }),
  );
}

/** Twice the corpus, and branches that touch much of it. */
async function memory(base: Sources, full: boolean): Promise<string> {
  const twice = new Map(
    [...base].flatMap(([path, text]) => [
      [path, text] as const,
      [`copy/${path}`, `${text}\n// a second copy\n`] as const,
    ]),
  );
  const copied = (branch: Branch): Branch => ({
    ...branch,
    name: `${branch.name}-copy`,
    changes: new Map([...branch.changes].map(([path, content]) => [`copy/${path}`, content] as const)),
  });
  const branches = realBranches(full ? 50 : 10, 24);
  const repository = await repositoryOf(twice, [...branches, ...branches.map(copied)]);
  try {
    const { peakBytes, cpuMs } = await coldCheck(repository);
    const limit = 1.5 * 1024 ** 3;
    return renderTable(
      ['peak memory of our process', 'measured', 'CPU', 'limit', 'verdict'],
      [
        [
          `${twice.size} files, ${repository.branches.length} branches × 24 changed files`,
          megabytes(peakBytes),
          seconds(cpuMs),
          megabytes(limit),
          judge(peakBytes <= limit),
        ],
      ],
    );
  } finally {
    rmSync(repository.dir, { recursive: true, force: true });
  }
}
