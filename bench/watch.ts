import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Watching } from '#test/support/watching.ts';
import { publishedCommand } from './built.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, median, renderTable, seconds } from './table.ts';

export const watch: Part = {
  name: 'watch',
  summary: 'from a file that is saved to what check --watch prints about it',
  run: runWatch,
};

const fileCount = 5000;
const worktreeCount = 5;
const limitMs = 1000;

async function runWatch({ full }: BenchOptions): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'joinery-watch-'));
  const place = { JOINERY_CACHE_DIR: join(folder, 'cache'), JOINERY_STATE_DIR: join(folder, 'state') };
  try {
    const worktrees = layOut(folder);
    const [provider = '', consumer = ''] = worktrees;
    const watching = new Watching(publishedCommand(), [], join(folder, 'repository'), place);
    const started = performance.now();
    await watching.next();
    const first = performance.now() - started;
    const target = join(provider, pathOf(7));
    const samples: Record<'clash' | 'fixed', Sample[]> = { clash: [], fixed: [] };
    save(
      join(consumer, 'src/fresh.ts'),
      "import { value7 } from './m0/f7.ts';\n\nexport const fresh = value7(1);\n",
    );
    for (let round = 0; round < (full ? 20 : 8); round++) {
      samples.clash.push(await timed(watching, () => save(target, textOf(7, `renamed${round}_`))));
      samples.fixed.push(await timed(watching, () => save(target, textOf(7))));
    }
    const code = await watching.interrupt();
    const row = (label: string, all: readonly Sample[]) => {
      const walls = all.map(({ wallMs }) => wallMs);
      const cpu = median(all.map(({ cpuMs }) => cpuMs));
      return [
        label,
        seconds(median(walls)),
        seconds(Math.max(...walls)),
        seconds(cpu),
        seconds(limitMs),
        judge(median(walls) <= limitMs),
      ];
    };
    return [
      `${fileCount} files, ${worktreeCount} worktrees with uncommitted work, --confirm none; ended with ${code}`,
      renderTable(
        ['saved file → line', 'median', 'worst', 'CPU', 'limit', 'verdict'],
        [
          ['first check, empty cache', seconds(first), '', '', '', ''],
          row('a name that another worktree uses is gone', samples.clash),
          row('it is back', samples.fixed),
        ],
      ),
    ].join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Sample {
  readonly wallMs: number;
  /** CPU time of the watch and its programs: what a machine with idle cores would need. */
  readonly cpuMs: number;
}

async function timed(watching: Watching, change: () => void): Promise<Sample> {
  const [started, cpu] = [performance.now(), cpuOf(watching.pid)];
  change();
  await watching.next();
  return { wallMs: performance.now() - started, cpuMs: cpuOf(watching.pid) - cpu };
}

/** User and system time of a process and its ended children, in ticks of 10 ms. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return 10 * fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** A repository whose modules import each other, and worktrees that each changed one file. */
function layOut(folder: string): string[] {
  const repository = join(folder, 'repository');
  for (let index = 0; index < fileCount; index++) save(join(repository, pathOf(index)), textOf(index));
  const git = (dir: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Joinery', '-c', 'user.email=joinery@localhost', ...args], {
      cwd: dir,
    });
  git(repository, 'init', '-q', '-b', 'main');
  git(repository, 'add', '--all');
  git(repository, 'commit', '-q', '-m', 'base');
  return Array.from({ length: worktreeCount }, (_, index) => {
    const path = join(folder, `w${index}`);
    git(repository, 'worktree', 'add', '-q', '-b', `w${index}`, path);
    save(join(path, pathOf(100 + index)), textOf(100 + index, `own${index}_`));
    return path;
  });
}

function pathOf(index: number): string {
  return `src/m${Math.floor(index / 50)}/f${index}.ts`;
}

/** A function that uses the one of the previous file. */
function textOf(index: number, prefix = ''): string {
  const before = index - (index % 50 === 0 ? 0 : 1);
  const name = `${prefix}value${index}`;
  const used = before === index ? '' : `import { value${before} } from './f${before}.ts';\n\n`;
  const body = before === index ? 'n' : `value${before}(n) + 1`;
  return `${used}export function ${name}(n: number): number {\n  return ${body};\n}\n`;
}

function save(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
