import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Branch } from '#test/support/scenario/scenario.ts';
import { mergeText, writeTrees } from '#test/support/scenario/trees.ts';
import { checker } from './accuracy/oracles/types.ts';
import { isTest, openProject, type Project } from './accuracy/project.ts';
import { sourcesOf } from './corpora.ts';
import { type BenchRepository, branchOf, changesBetween, repositoryOf } from './history.ts';
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

interface History {
  readonly package: string;
  readonly before: string;
  readonly version: string;
  readonly types: readonly string[];
}

const small: History = { package: 'zod', before: '4.5.0', version: '4.6.7', types: ['node'] };
const large: History = { package: 'effect', before: '4.0.4', version: '4.1.0', types: ['node'] };

/** One load: branches on a project, how the product is run on them, and the limit. */
interface Load {
  readonly label: string;
  readonly branches: (project: Project, history: History) => Branch[];
  readonly confirm: 'none' | 'types';
  readonly atLeast: number;
}

const loads: readonly Load[] = [
  { label: 'real changes', branches: realChanges, confirm: 'none', atLeast: 100 },
  { label: 'nothing clashes', branches: () => planted(0), confirm: 'none', atLeast: 100 },
  { label: 'nothing clashes', branches: () => planted(0), confirm: 'types', atLeast: 40 },
  { label: 'three planted clashes', branches: () => planted(3), confirm: 'types', atLeast: 8 },
];

/** What type checkers may cost, as a multiple of one `tsc` of the same project. */
const mostOfOneTsc = 2;

const pairCount = (branchCount * (branchCount - 1)) / 2;

async function runPairs({ full, seed }: BenchOptions): Promise<string> {
  const rows: string[][] = [];
  for (const history of full ? [small, large] : [small]) rows.push(...(await compare(history, full, seed)));
  return [
    `${branchCount} branches; the peer is tsc --noEmit on ${full ? sampledPairs : 2} of the ${pairCount} pair unions, written to disk, its median times ${pairCount}; the check starts with an empty cache`,
    renderTable(
      [
        '',
        'files',
        'check, CPU',
        'findings',
        'checker runs',
        'tsc per union',
        `tsc × ${pairCount}`,
        'times faster',
        'limit',
        'check / one tsc',
        'limit',
        'verdict',
      ],
      rows,
    ),
  ].join('\n');
}

const keep = (path: string) => path.startsWith('src/') && !isTest(path);

async function compare(history: History, full: boolean, seed: number): Promise<string[][]> {
  const project = await openProject({ ...history, version: history.before, keep });
  const rows: string[][] = [];
  for (const load of loads) rows.push(await measure(history, project, load, full, seed));
  return rows;
}

async function measure(
  history: History,
  project: Project,
  load: Load,
  full: boolean,
  seed: number,
): Promise<string[]> {
  const config = { compilerOptions: project.compilerOptions, include: ['src'] };
  const base = new Map([...project.files, ...plantedModules(), ['tsconfig.json', JSON.stringify(config)]]);
  const repository = await repositoryOf(base, load.branches(project, history));
  // Installed packages are looked up in the checkout; the sources are read from commits.
  symlinkSync(join(project.modules, 'node_modules'), join(repository.dir, 'node_modules'));
  const peer: { cpuMs: number }[] = [];
  const own: Awaited<ReturnType<typeof checkOnce>>[] = [];
  try {
    const unions = await samplePairs(repository, new Random(seed));
    for (const union of unions.slice(0, full ? sampledPairs : 2)) {
      peer.push(await checkTypes(repository, project, union));
      own.push(await checkOnce(repository, load.confirm));
    }
  } finally {
    rmSync(repository.dir, { recursive: true, force: true });
  }
  const total = medianCpu(peer) * pairCount;
  const cost = medianCpu(own);
  const ofOne = cost / medianCpu(peer);
  const isCheap = load.confirm === 'none' || ofOne <= mostOfOneTsc;
  return [
    `${history.package} ${history.before}, ${load.label}, --confirm ${load.confirm}`,
    String(base.size),
    seconds(cost),
    String(own[0]?.findings ?? 0),
    String(own[0]?.checkerRuns ?? 0),
    seconds(medianCpu(peer)),
    seconds(total),
    `${Math.round(total / cost)} ×`,
    `at least ${load.atLeast} ×`,
    `${ofOne.toFixed(2)} ×`,
    load.confirm === 'none' ? '' : `at most ${mostOfOneTsc} ×`,
    judge(total / cost >= load.atLeast && isCheap),
  ];
}

/** The changes of the later version, distributed among the branches in the order of paths. */
function realChanges(project: Project, history: History): Branch[] {
  const after = new Map([...sourcesOf(history.package, history.version)].filter(([path]) => keep(path)));
  const before = new Map([...project.files].filter(([path]) => path !== 'package.json'));
  const changes = changesBetween(before, after);
  const size = Math.floor(changes.length / branchCount);
  return Array.from({ length: branchCount }, (_, at) =>
    branchOf(`b${at}`, changes.slice(at * size, (at + 1) * size)),
  );
}

/** One module per branch to change, so that no two branches conflict. */
function plantedModules(): [string, string][] {
  return Array.from({ length: branchCount }, (_, at) => [modulePath(at), moduleText(at, 'a: number')]);
}

function modulePath(at: number): string {
  return `src/planted/m${at}.ts`;
}

function moduleText(at: number, parameters: string): string {
  return `export function planted${at}(${parameters}): number {\n  return a;\n}\n`;
}

/** Each branch calls its own module from a new file; in a clash the next branch breaks such a call. */
function planted(clashes: number): Branch[] {
  return Array.from({ length: branchCount }, (_, at) => {
    const isProvider = at % 2 === 1 && at < 2 * clashes;
    const used = isProvider ? at : at < 2 * clashes ? at + 1 : at;
    // Imports the whole project, so that a checker has something to do.
    const whole = `import type * as whole from '../index.js';\n\nexport type Whole${at} = keyof typeof whole;\n`;
    const use = `${whole}import { planted${used} } from './m${used}';\n\nexport const used${at} = planted${used}(${isProvider ? '1, 2' : '1'});\n`;
    return branchOf(`b${at}`, [
      { path: `src/planted/use${at}.ts`, text: use },
      ...(isProvider ? [{ path: modulePath(at), text: moduleText(at, 'a: number, b: number') }] : []),
    ]);
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
  confirm: Load['confirm'],
): Promise<{ cpuMs: number; findings: number; checkerRuns: number }> {
  const cache = mkdtempSync(join(tmpdir(), 'joinery-pairs-'));
  try {
    const { cpuMs, stdout, stderr } = await runCheck(dir, cache, branches, ['--stats', '--confirm', confirm]);
    const { findings, degraded } = JSON.parse(stdout) as {
      findings: readonly unknown[];
      degraded: readonly { check: string; reason: string }[];
    };
    if (confirm === 'types' && degraded.length > 0)
      throw new Error(`the checker could not work: ${JSON.stringify(degraded)}`);
    const checkerRuns = Number(/(\d+) checker runs/.exec(stderr)?.[1] ?? Number.NaN);
    return { cpuMs, findings: findings.length, checkerRuns };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}
