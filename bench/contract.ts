import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publishedCommand } from './built.ts';
import { interleave, medianCpu, runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, renderTable, seconds } from './table.ts';

export const contract: Part = {
  name: 'contract',
  summary: 'joinery contract check on ever larger contracts; CPU of the command and of its children',
  run: runContract,
};

const sizes = [50, 100, 200] as const;
const limitMs = 2000;

async function runContract({ full }: BenchOptions): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const cache = join(root, 'cache');
    const places = sizes.map((size) => ({ size, dir: makeRepository(join(root, String(size)), size) }));
    await checkOnce(makeRepository(join(root, 'first'), 4), cache);
    const samples = await interleave(
      full ? 7 : 3,
      Object.fromEntries(places.map(({ size, dir }) => [String(size), () => checkOnce(dir, cache)])),
    );
    const rows = sizes.map((size) => {
      const cost = medianCpu(samples[String(size)] ?? []);
      return [`${size} entities`, seconds(cost), size === 200 ? judge(cost <= limitMs) : ''];
    });
    return `${renderTable(['contract', 'CPU', 'verdict'], rows)}\n\nlimit: 200 entities in ${seconds(limitMs)}`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function checkOnce(dir: string, cache: string) {
  const cost = await runMeasured(
    process.execPath,
    [publishedCommand(), 'contract', 'check', 'contract.json', 'a', 'b', '--json'],
    { cwd: dir, env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: join(cache, 'state') } },
  );
  const report = JSON.parse(cost.stdout) as { status: string };
  if (cost.code !== 0 || report.status !== 'pass')
    throw new Error(`joinery contract check ended with ${cost.code}: ${cost.stdout.slice(0, 2000)}`);
  return cost;
}

/** A table, a type and a function in turn, each in a separate file; one branch has half of the files, another the rest. */
function makeRepository(dir: string, size: number): string {
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: dir });
  const things = Array.from({ length: size }, (_, n) => thing(n));
  git('init', '-q', '-b', 'main', '.');
  write(dir, 'README.md', 'bench\n');
  git('add', '--all');
  git('commit', '-q', '-m', 'base');
  for (const [index, branch] of ['a', 'b'].entries()) {
    git('checkout', '-q', '-b', branch, 'main');
    for (const [n, { path, text }] of things.entries()) if (n % 2 === index) write(dir, path, text);
    git('add', '--all');
    git('commit', '-q', '-m', branch);
  }
  git('checkout', '-q', 'main');
  write(
    dir,
    'contract.json',
    JSON.stringify({
      schema: 'joinery/contract@1',
      coreQuestion: 'Is it fast?',
      entities: things.map(({ entity }) => ({ createdByTask: null, ...entity })),
    }),
  );
  return dir;
}

function thing(n: number): { path: string; text: string; entity: object } {
  const fields = Array.from({ length: 12 }, (_, i) => `field${i}`);
  const filler = fields
    .map((field) => `def use_${field}(value: int) -> int:\n    return value + 1\n`)
    .join('\n');
  if (n % 3 === 0) {
    const columns = fields.map((field) => `    ${field} = Column(Integer)`).join('\n');
    const text = `class Table${n}(Base):\n    __tablename__ = "table_${n}"\n${columns}\n\n${filler}`;
    const entity = { name: `Table${n}`, type: 'database', table: `table_${n}`, keyFields: fields };
    return { path: `models/m${n}.py`, text, entity };
  }
  const path = `src/m${n}.ts`;
  if (n % 3 === 1) {
    const text = `export interface Type${n} {\n${fields.map((field) => `  ${field}: string;`).join('\n')}\n}\n`;
    return { path, text, entity: { name: `Type${n}`, type: 'type', keyFields: fields } };
  }
  const text = `export function work${n}(a: string, b: number): string {\n  return a + b;\n}\n`;
  return {
    path,
    text,
    entity: { name: `work${n}`, type: 'function', path, function: `work${n}(a: string, b: number): string` },
  };
}

function write(dir: string, path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}
