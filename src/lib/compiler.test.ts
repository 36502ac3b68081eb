import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

const module = new URL('./compiler.ts', import.meta.url).href;

test('V8 accepts every flag, and the program computes the same as without them', () => {
  const program = `
    import { compileForShortRuns, compileNoMore } from ${JSON.stringify(module)};
    compileForShortRuns();
    let sum = 0;
    const add = (value) => { sum = (sum + value) % 1009; };
    for (let i = 0; i < 300_000; i++) add(i);
    compileNoMore();
    process.stdout.write(String(sum));`;
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    { encoding: 'utf8' },
  );
  let sum = 0;
  for (let i = 0; i < 300_000; i++) sum = (sum + i) % 1009;
  expect({ stdout, stderr, status }).toEqual({ stdout: String(sum), stderr: '', status: 0 });
});
