import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';
import { runNode, temporaryFolder } from '../support/joinery.ts';

/** A fake npm: empties node_modules, waits and fills it, or fails if another one runs at the same time. */
const pretendNpm = `
const { appendFileSync, mkdirSync, rmSync, writeFileSync } = require('node:fs');
appendFileSync(process.env.NPM_CALLS, 'begin\\n');
rmSync('node_modules', { recursive: true, force: true });
setTimeout(() => {
  mkdirSync('node_modules', { recursive: true });
  writeFileSync('node_modules/.package-lock.json', '{"packages":{"node_modules/x":{"version":"1.0.0"}}}');
  appendFileSync(process.env.NPM_CALLS, 'end\\n');
}, 1500);
`;

test('of several commands at once one installs the dependencies, and the others wait for it', async () => {
  const clone = temporaryFolder();
  for (const file of ['scripts/with-node.js', 'bin/bootstrap.js'])
    cpSync(join(root, file), join(clone, file), { recursive: true });
  const calls = join(clone, 'calls');
  mkdirSync(join(clone, 'npm'));
  writeFileSync(join(clone, 'npm', 'npm-cli.js'), pretendNpm);
  writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
  writeFileSync(join(clone, 'npm', 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(clone, 'package-lock.json'), '{"packages":{"node_modules/x":{"version":"1.0.0"}}}');
  const script =
    "import { existsSync } from 'node:fs'; console.log(existsSync('node_modules/.package-lock.json'));";
  writeFileSync(join(clone, 'scripts', 'says.js'), script);
  const env = {
    JOINERY_CACHE_DIR: join(clone, 'cache'),
    npm_execpath: join(clone, 'npm', 'npm-cli.js'),
    NPM_CALLS: calls,
  };
  const ends = await Promise.all(
    [1, 2, 3].map(() =>
      runNode([join(clone, 'scripts/with-node.js'), 'scripts/says.js'], { cwd: clone, env }),
    ),
  );
  expect(ends.map(({ code, stdout }) => [code, stdout.trim()])).toEqual(Array(3).fill([0, 'true']));
  expect(readFileSync(calls, 'utf8')).toBe('begin\nend\n');
  expect(ends.map(({ stderr }) => stderr).join('')).toContain('waiting for another command');
});
