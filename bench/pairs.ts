import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mergeText, writeTrees } from '../src/seams/detectors/scenario-repository.ts';
import { checker } from './accuracy/oracles/types.ts';
import { isTest, openProject, type Project } from './accuracy/project.ts';
import { sourcesOf } from './corpora.ts';
import { type BenchRepository, changesBetween, overlayOf, repositoryOf } from './history.ts';
import { medianCpu, runCheck, runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { Random } from './random.ts';
import { judge, renderTable, seconds } from './table.ts';

export const pairs: Part = {
  name: 'pairs',
  summary: 'one check of 20 branches against the type checker over all 190 pair unions',
  run: runPairs,
};

const branchCount = 20;
const sampledPairs = 5;

/** The ways the product is run, each with the limit it has to keep. */
const ways = [{ label: '--confirm none', options: ['--confirm', 'none'], atLeast: 100 }];

interface History {
  readonly package: string;
  readonly before: string;
  readonly version: string;
  readonly types: readonly string[];
}

const small: History = { package: 'zod', before: '4.5.0', version: '4.6.7', types: ['node'] };
const large: History = { package: 'effect', before: '4.0.4', version: '4.1.0', types: ['node'] };

async function runPairs({ full, seed }: BenchOptions): Promise<string> {
  const rows: string[][] = [];
  for (const history of full ? [small, large] : [small]) rows.push(...(await compare(history, full, seed)));
  const count = (branchCount * (branchCount - 1)) / 2;
  return [
    `${branchCount} branches of real changes; the peer is tsc --noEmit on ${full ? sampledPairs : 2} of the ${count} pair unions, written to disk, its median times ${count}; the check starts with an empty cache`,
    renderTable(
      [
        '',
        'files',
        'check, CPU',
        'findings',
        'tsc per union',
        `tsc × ${count}`,
        'times faster',
        'limit',
        'verdict',
      ],
      rows,
    ),
  ].join('\n');
}

async function compare(history: History, full: boolean, seed: number): Promise<string[][]> {
  const keep = (path: string) => path.startsWith('src/') && !isTest(path);
  const project = await openProject({ ...history, version: history.before, keep });
  const after = new Map([...sourcesOf(history.package, history.version)].filter(([path]) => keep(path)));
  const before = new Map([...project.files].filter(([path]) => path !== 'package.json'));
  const changes = changesBetween(before, after);
  const size = Math.floor(changes.length / branchCount);
  const branches = Array.from({ length: branchCount }, (_, at) =>
    overlayOf(`b${at}`, changes.slice(at * size, (at + 1) * size)),
  );
  const repository = await repositoryOf(project.files, branches);
  const peer: { cpuMs: number }[] = [];
  const own = ways.map(() => [] as { cpuMs: number; findings: number }[]);
  try {
    const unions = await samplePairs(repository, new Random(seed));
    for (const union of unions.slice(0, full ? sampledPairs : 2)) {
      peer.push(await checkTypes(repository, project, union));
      for (const [at, way] of ways.entries()) own[at]?.push(await checkOnce(repository, way.options));
    }
  } finally {
    rmSync(repository.dir, { recursive: true, force: true });
  }
  const perUnion = medianCpu(peer);
  const total = (perUnion * branchCount * (branchCount - 1)) / 2;
  return ways.map(({ label, atLeast }, at) => {
    const cost = medianCpu(own[at] ?? []);
    return [
      `${history.package} ${history.before} → ${history.version}, ${label}`,
      String(project.files.size),
      seconds(cost),
      String(own[at]?.[0]?.findings ?? 0),
      seconds(perUnion),
      seconds(total),
      `${Math.round(total / cost)} ×`,
      `at least ${atLeast} ×`,
      judge(total / cost >= atLeast),
    ];
  });
}

/** Trees of pairs whose text merges, in random order. */
async function samplePairs({ git, branches }: BenchRepository, random: Random): Promise<string[]> {
  const all = branches.flatMap((a, at) => branches.slice(at + 1).map((b) => [a, b] as const));
  const trees = await mergeText(git, random.shuffled(all).slice(0, 3 * sampledPairs));
  return trees.filter((tree) => tree !== null).slice(0, sampledPairs);
}

async function checkTypes(
  { git }: BenchRepository,
  project: Project,
  tree: string,
): Promise<{ cpuMs: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-pair-'));
  try {
    await writeTrees(git, new Map([['union', tree]]), folder);
    symlinkSync(join(project.modules, 'node_modules'), join(folder, 'node_modules'));
    const config = { compilerOptions: project.compilerOptions, include: ['union/src'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    return await runMeasured(checker, ['--noEmit', '-p', '.'], { cwd: folder });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function checkOnce(
  { dir, branches }: BenchRepository,
  options: readonly string[],
): Promise<{ cpuMs: number; findings: number }> {
  const cache = mkdtempSync(join(tmpdir(), 'joinery-pairs-'));
  try {
    const { cpuMs, stdout } = await runCheck(dir, cache, branches, options);
    const { findings } = JSON.parse(stdout) as { findings: readonly unknown[] };
    return { cpuMs, findings: findings.length };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
