import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { publishedCommand } from '../built.ts';
import { makeRepository } from '../ground.ts';
import { interleave, medianCpu, runMeasured } from '../measure.ts';
import { judge, renderTable, seconds } from '../table.ts';

const sizes = [250, 500, 1000] as const;
const limitMs = 2000;
/** Twice the files may cost twice the CPU times this factor. */
const growthLimit = 1.2;
const commands = [['risk'], ['tests', 'gaps'], ['tests', 'integrity'], ['secrets']] as const;

/** CPU time of each command on growing diffs, without cached facts. */
export async function runLarge(root: string, samples: number): Promise<string> {
  const cache = join(root, 'cache');
  const dirs = sizes.map((size) => makeRepository(join(root, `large-${size}`), size));
  const rows: string[][] = [];
  for (const words of commands) {
    await once(dirs[0] as string, words, cache);
    const variants = Object.fromEntries(
      sizes.map((size, index) => [String(size), () => once(dirs[index] as string, words, cache)]),
    );
    const measured = await interleave(samples, variants);
    const costs = sizes.map((size) => medianCpu(measured[String(size)] ?? []));
    const [, half = 1, whole = 0] = costs;
    const growth = whole / half;
    rows.push([
      words.join(' '),
      ...costs.map(seconds),
      `${growth.toFixed(2)} ×`,
      judge(whole <= limitMs && growth <= 2 * growthLimit),
    ]);
  }
  const header = ['command', ...sizes.map((size) => `${size} files`), 'growth', 'verdict'];
  return `${renderTable(header, rows)}\n\nlimits: 1000 files in ${seconds(limitMs)}; twice the files at most ${(2 * growthLimit).toFixed(1)} × the CPU`;
}

async function once(dir: string, words: readonly string[], cache: string) {
  rmSync(join(cache, 'facts.db'), { force: true });
  const cost = await runMeasured(
    process.execPath,
    [publishedCommand(), ...words, 'work', '--base', 'main', '--json'],
    {
      cwd: dir,
      env: { JOINERY_CACHE_DIR: cache, JOINERY_STATE_DIR: join(cache, 'state') },
    },
  );
  if (cost.code > 1)
    throw new Error(`joinery ${words.join(' ')} ended with ${cost.code}: ${cost.stderr.slice(-500)}`);
  return cost;
}
