import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interleave, medianCpu, runMeasured } from '../measure.ts';
import type { BenchOptions, Part } from '../part.ts';
import { judge, renderTable } from '../table.ts';

export const gates: Part = {
  name: 'gates',
  summary: 'what our gate runner costs over running the command directly',
  run: runPart,
};

const repeat = fileURLToPath(new URL('./repeat.ts', import.meta.url));
const limitMs = 100;
const times = 10;
const lastYear = Date.now() / 1000 - 365 * 24 * 3600;

async function runPart({ full }: BenchOptions): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const rows = [];
    for (const files of full ? [100, 1000, 10_000] : [100, 1000])
      rows.push(...(await overhead(root, files, full ? 7 : 3)));
    return renderTable(['files', 'gate', 'direct', 'ours', 'overhead', 'limit', 'verdict'], rows);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Per gate: the cost of a process that runs it ten times minus one that does not run it. */
async function overhead(root: string, files: number, rounds: number): Promise<string[][]> {
  const dir = makeRepository(join(root, `r${files}`), files);
  const run = (how: string, count: number) => () =>
    runMeasured(process.execPath, [repeat, how, String(count), dir, join(root, `state${files}`)]);
  // From now on the result of the base commit is cached.
  await run('test', 1)();
  const samples = await interleave(rounds, {
    oursIdle: run('lint', 0),
    lint: run('lint', times),
    test: run('test', times),
    directIdle: run('direct', 0),
    direct: run('direct', times),
  });
  for (const { code, stderr } of Object.values(samples).flat()) if (code !== 0) throw new Error(stderr);
  const direct = (medianCpu(samples.direct) - medianCpu(samples.directIdle)) / times;
  return (['lint', 'test'] as const).map((kind) => {
    const ours = (medianCpu(samples[kind]) - medianCpu(samples.oursIdle)) / times;
    const more = ours - direct;
    return [
      String(files),
      kind === 'lint' ? 'a plain command' : 'tests, the base is known',
      milliseconds(direct),
      milliseconds(ours),
      milliseconds(more),
      `${limitMs} ms CPU`,
      judge(more <= limitMs),
    ];
  });
}

function milliseconds(ms: number): string {
  return `${ms.toFixed(0)} ms`;
}

function makeRepository(dir: string, files: number): string {
  mkdirSync(dir, { recursive: true });
  for (let n = 0; n < files; n++) {
    const folder = join(dir, `src/part${n % 50}`);
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `file${n}.ts`);
    writeFileSync(file, `export const value${n} = ${n};\n`.repeat(20));
    // Old files, as in a real project: git rereads files that are as new as its index each time.
    utimesSync(file, lastYear, lastYear);
  }
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=b', '-c', 'user.email=b@localhost', ...args], {
      cwd: dir,
      stdio: 'ignore',
    });
  git('init', '-q');
  git('add', '--all');
  git('commit', '-q', '-m', 'base');
  // Its own change, so that each gate is compared with the base commit, whose result is cached after the first.
  writeFileSync(join(dir, 'work.ts'), 'export {};\n');
  utimesSync(join(dir, 'work.ts'), lastYear, lastYear);
  return dir;
}
