import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { publishedCommand } from './built.ts';
import { interleave, medianCpu, runMeasured } from './measure.ts';
import type { BenchOptions, Part } from './part.ts';
import { judge, renderTable, seconds } from './table.ts';

export const ground: Part = {
  name: 'ground',
  summary: 'joinery ground on ever larger diffs; CPU of the command and of its children, no facts cached',
  run: runGround,
};

const sizes = [250, 500, 1000] as const;
const limitMs = 2000;
/** Twice the files may cost twice the CPU times this factor. */
const growthLimit = 1.2;

async function runGround({ full }: BenchOptions): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'joinery-bench-'));
  try {
    const cache = join(root, 'cache');
    // Our own modules are compiled once per version; that is not measured.
    await groundOnce(makeRepository(join(root, 'first'), 4), cache);
    const variants = Object.fromEntries(
      sizes.map((size) => {
        const dir = makeRepository(join(root, String(size)), size);
        return [String(size), () => groundOnce(dir, cache)];
      }),
    );
    const samples = await interleave(full ? 7 : 3, variants);
    const costs = sizes.map((size) => medianCpu(samples[String(size)] ?? []));
    const rows = sizes.map((size, index) => {
      const cost = costs[index] ?? 0;
      const before = costs[index - 1];
      const growth = before === undefined ? '' : `${(cost / before).toFixed(2)} ×`;
      return [
        `${size} files`,
        seconds(cost),
        growth,
        size === 1000
          ? judge(cost <= limitMs)
          : growth === ''
            ? ''
            : judge(cost / (before ?? cost) <= 2 * growthLimit),
      ];
    });
    const verdict = `limits: 1000 files in ${seconds(limitMs)}; twice the files at most ${(2 * growthLimit).toFixed(1)} × the CPU`;
    return `${renderTable(['diff', 'CPU', 'growth', 'verdict'], rows)}\n\n${verdict}`;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function groundOnce(dir: string, cache: string) {
  rmSync(join(cache, 'facts.db'), { force: true });
  const cost = await runMeasured(
    process.execPath,
    [publishedCommand(), 'ground', 'work', '--base', 'main', '--json'],
    {
      cwd: dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: join(cache, 'state') },
    },
  );
  const report = JSON.parse(cost.stdout) as { status: string; files: number };
  if (cost.code !== 0 || report.files === 0)
    throw new Error(
      `joinery ground ended with ${cost.code}: ${cost.stdout.slice(0, 2000)}${cost.stderr.slice(-500)}`,
    );
  return cost;
}

/** Half of the files change, a quarter are changed tests, a quarter new sources with tests. Every fourth test is renamed. */
export function makeRepository(dir: string, size: number): string {
  mkdirSync(dir, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', ...args], { cwd: dir });
  const quarter = size / 4;
  git('init', '-q', '-b', 'main', '.');
  write(dir, 'package.json', '{"name":"bench","type":"module","scripts":{"test":"vitest run"}}\n');
  for (let n = 0; n < 2 * quarter; n++) write(dir, `src/m${n}.ts`, source(n, 'a'));
  for (let n = 0; n < quarter; n++) write(dir, `src/m${n}.test.ts`, testOf(`m${n}`, 12));
  git('add', '--all');
  git('commit', '-q', '-m', 'base');
  git('checkout', '-q', '-b', 'work');
  for (let n = 0; n < 2 * quarter; n++) write(dir, `src/m${n}.ts`, source(n, 'b'));
  for (let n = 0; n < quarter; n++) write(dir, `src/m${n}.test.ts`, testOf(`m${n}`, 14, true));
  for (let n = 0; n < quarter / 2; n++) {
    write(dir, `src/new${n}.ts`, source(n, 'c'));
    write(dir, `src/new${n}.test.ts`, testOf(`new${n}`, 12));
  }
  git('add', '--all');
  git('commit', '-q', '-m', 'work');
  return dir;
}

function write(dir: string, path: string, content: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), content);
}

function source(n: number, version: string): string {
  const functions = Array.from(
    { length: 10 },
    (_, i) =>
      `/** What ${i} comes to. */\nexport function f${i}(value: number, label = '${version}${i}'): string {\n  const total = value * ${n + i};\n  if (total > 100) return \`\${label}: \${total}\`;\n  return other(total) + label.length;\n}\n`,
  );
  return `import { f0 as other } from './m${n === 0 ? 1 : n - 1}.ts';\n\n${functions.join('\n')}`;
}

function testOf(name: string, count: number, isRewritten = false): string {
  const cases = Array.from({ length: count }, (_, i) => {
    const asserted = `expect(value).toBe('a${i}');\n    expect(value.length).toBeGreaterThan(${i});`;
    return isRewritten && i % 4 === 0
      ? `  test('gives the right label to input number ${i}', () => {\n    const input = ${i};\n    const value = f${i % 10}(input);\n    expect(typeof value).toBe('string');\n    ${asserted}\n  });\n`
      : `  test('case ${i}', () => {\n    const value = f${i % 10}(${i});\n    ${asserted}\n  });\n`;
  });
  return `import { describe, expect, test } from 'vitest';\nimport { f0, f1, f2, f3, f4, f5, f6, f7, f8, f9 } from './${name}.ts';\n\ndescribe('${name}', () => {\n${cases.join('\n')}});\n`;
}
