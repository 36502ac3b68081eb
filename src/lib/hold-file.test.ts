import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { holdFile } from './hold-file.ts';

const file = () => join(mkdtempSync(join(tmpdir(), 'joinery-hold-')), 'below', 'lock');

test('only one caller holds a file at a time, also within one process', () => {
  const path = file();
  const release = holdFile(path);
  expect(release).not.toBeNull();
  expect(holdFile(path)).toBeNull();
  release?.();
  const again = holdFile(path);
  expect(again).not.toBeNull();
  again?.();
});

test('another process is refused until the holder is killed', async () => {
  const path = file();
  const module = JSON.stringify(new URL('hold-file.ts', import.meta.url).href);
  const program = `const { holdFile } = await import(${module}); console.log(holdFile(${JSON.stringify(path)}) !== null); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [said] = await once(child.stdout, 'data');
  expect(String(said).trim()).toBe('true');
  expect(holdFile(path)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const release = holdFile(path);
  expect(release).not.toBeNull();
  release?.();
});
