import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/root.ts';
import { publishedCommand } from './built.ts';
import { benchFolder, npm } from './corpora.ts';
import { type CheckCost, interleave, runCheck } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { Picker } from './pick.ts';
import { judge, median, megabytes, renderTable, seconds } from './table.ts';

export const beside: Part = {
  name: 'beside',
  summary: 'real pull requests of three repositories, beside the published form of commit 251ca0b',
  run: runBeside,
};

const peer = '251ca0b';

interface Load {
  /** Owner and name on GitHub. */
  readonly repository: string;
  /** The newest commit that is used. */
  readonly head: string;
  readonly base: string;
  /** How many commits before base branches fork from. */
  readonly behind: number;
  /** The ratios that were measured last, here and in the peer: CPU and memory of a cold check. */
  readonly cpu: number;
  readonly memory: number;
}

const loads: readonly Load[] = [
  {
    repository: 'n8n-io/n8n',
    head: 'fbd9449c26004797dbc036cfa441f3eeb416cf6d',
    base: '8d3e2667a34b545ef214ff7caf2e765275553f98',
    behind: 39,
    cpu: 1.07,
    memory: 1.9,
  },
  {
    repository: 'immich-app/immich',
    head: 'b26b0cc806a0cc0d586e95a359e0debce1bffc4f',
    base: 'e918658cc1b0f99d1af99a3775a6d47199995d29',
    behind: 39,
    cpu: 1.49,
    memory: 2.5,
  },
  {
    repository: 'PrefectHQ/prefect',
    head: 'ce79dd3d6cfa2b7337265498210dbc4d25bcdc98',
    base: 'd6ed5e4fb8e95a5919cd1bdc34263907839fc5da',
    behind: 25,
    cpu: 1.56,
    memory: 1.1,
  },
];

/** More than the last figure by this factor is red. */
const tolerance = 1.1;

async function runBeside({ full }: BenchOptions): Promise<string> {
  const old = peerCommand();
  const rows: string[][] = [];
  for (const load of loads) {
    const { dir, branches } = branchesOf(load, full ? 100 : 24);
    const samples = await interleave(full ? 3 : 1, {
      now: () => coldAndAgain(dir, branches, publishedCommand()),
      peer: () => coldAndAgain(dir, branches, old),
    });
    const of = (name: 'now' | 'peer', kind: 'cold' | 'again', part: 'cpuMs' | 'peakBytes') =>
      median(samples[name].map((sample) => sample[kind][part]));
    const [cpu, memory] = [of('now', 'cold', 'cpuMs'), of('now', 'cold', 'peakBytes')];
    const cpuRatio = cpu / of('peer', 'cold', 'cpuMs');
    const memoryRatio = memory / of('peer', 'cold', 'peakBytes');
    const isMet = cpuRatio <= load.cpu * tolerance && memoryRatio <= load.memory * tolerance;
    rows.push([
      `${load.repository}, ${branches.length} branches`,
      `${seconds(cpu)}, ${megabytes(memory)}`,
      `${seconds(of('peer', 'cold', 'cpuMs'))}, ${megabytes(of('peer', 'cold', 'peakBytes'))}`,
      `${cpuRatio.toFixed(2)} ×, ${memoryRatio.toFixed(2)} ×`,
      `${load.cpu} ×, ${load.memory} ×`,
      seconds(of('now', 'again', 'cpuMs')),
      judge(isMet),
    ]);
    rmSync(dir, { recursive: true, force: true });
  }
  return renderTable(
    ['cold, --confirm none', 'now', peer, 'ratio', 'last', 'again, now', 'within 10 %'],
    rows,
  );
}

async function coldAndAgain(
  dir: string,
  branches: readonly string[],
  command: string,
): Promise<{ cold: CheckCost; again: CheckCost }> {
  const cache = mkdtempSync(join(benchFolder('beside'), 'cache-'));
  try {
    const check = () => runCheck(dir, cache, branches, ['--confirm', 'none'], { command, mostCode: 2 });
    return { cold: await check(), again: await check() };
  } finally {
    rmSync(cache, { recursive: true, force: true });
  }
}

/** A bare repository with `main` at base, and squashed pull requests picked onto commits before it, as if open at the same time. */
function branchesOf({ repository, head, base, behind }: Load, count: number) {
  const source = clonedFrom(repository);
  const dir = mkdtempSync(join(benchFolder('beside'), 'repo-'));
  execFileSync('git', ['clone', '--quiet', '--bare', '--shared', source, dir]);
  const picker = new Picker(dir);
  const forks = picker.git('rev-list', '--first-parent', `--max-count=${behind + 1}`, base).split('\n');
  const later = picker.git('rev-list', '--first-parent', '--reverse', `${base}..${head}`).split('\n');
  picker.git('update-ref', 'refs/heads/main', base);
  picker.git('symbolic-ref', 'HEAD', 'refs/heads/main');
  const branches: string[] = [];
  for (const [at, commit] of later.entries()) {
    if (branches.length === count) break;
    const picked = picker.pick(forks[(at * 7) % forks.length] ?? base, commit);
    if (picked === null) continue;
    const name = `pull-${String(branches.length).padStart(3, '0')}`;
    picker.git('update-ref', `refs/heads/${name}`, picked);
    branches.push(name);
  }
  return { dir, branches };
}

/** Downloaded once, into the cache folder. */
function clonedFrom(repository: string): string {
  const dir = join(benchFolder('clones'), `${repository.replace('/', '+')}.git`);
  if (!existsSync(dir))
    execFileSync('git', ['clone', '--quiet', '--bare', `https://github.com/${repository}`, dir]);
  return dir;
}

/** The peer as it was published, built from the history of this repository. */
function peerCommand(): string {
  const dir = join(benchFolder('peers'), peer);
  const command = join(dir, 'published', 'bin', 'joinery.js');
  if (existsSync(command)) return command;
  rmSync(dir, { recursive: true, force: true });
  execFileSync('git', ['clone', '--quiet', '--no-checkout', root, dir]);
  execFileSync('git', ['-C', dir, 'checkout', '--quiet', peer]);
  npm(['ci', '--ignore-scripts', '--silent'], dir);
  execFileSync(process.execPath, [join(dir, 'scripts', 'build.ts')], { cwd: dir, stdio: 'ignore' });
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(dir, name), join(dir, 'published', name), { recursive: true });
  symlinkSync(join(dir, 'node_modules'), join(dir, 'published', 'node_modules'));
  return command;
}
