import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runNode, temporaryFolder } from '#test/support/joinery.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const module = fileURLToPath(new URL('./end-process.ts', import.meta.url));

function script(body: string): string {
  const file = join(temporaryFolder(), 'script.mjs');
  writeFileSync(
    file,
    `import { endProcess, outputWritten } from ${JSON.stringify(module)};\nsetInterval(() => {}, 1000);\n${body}`,
  );
  return file;
}

// Threads that allocate all the time: with process.exit() a third of these processes hang.
const stress = '--stress-concurrent-allocation';
const busy = `const kept = [];
for (const end = performance.now() + 100; performance.now() < end;) {
  kept.push({ a: [kept.length] });
  if (kept.length > 100_000) kept.length = 0;
}`;

test('exits with its exit code while other threads wait for a garbage collection', async () => {
  const ends = script(`${busy}\nendProcess(130);`);
  for (let count = 0; count < 8; count++)
    expect(await runNode([stress, ends])).toEqual({ code: 130, signal: null, stdout: '', stderr: '' });
});

test('exit listeners run, and no code after the call does', async () => {
  const ends = script(`process.on('exit', (code) => console.log('exit', code));
endProcess(5);
console.log('after');`);
  expect(await runNode([ends])).toMatchObject({ code: 5, stdout: 'exit 5\n' });
});

test('writes all output first when requested', async () => {
  const ends = script(
    `process.stdout.write('x'.repeat(3_000_000));\nawait outputWritten(10_000);\nendProcess(1);`,
  );
  const { code, stdout } = await runNode([ends]);
  expect([code, stdout.length]).toEqual([1, 3_000_000]);
});

test('no other file ends the process in a way that can hang', () => {
  const files = ['src', 'bin'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => join(folder, name))
      .filter((name) => /\.(ts|js)$/.test(name) && !name.endsWith('.test.ts')),
  );
  expect(files.length).toBeGreaterThan(100);
  const ending = files.filter((name) =>
    /^[^*/]*\bprocess\.(?:exit|reallyExit|abort)\(/m.test(readFileSync(join(root, name), 'utf8')),
  );
  expect(ending).toEqual([join('src', 'lib', 'end-process.ts')]);
});
