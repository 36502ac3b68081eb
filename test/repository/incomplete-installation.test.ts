import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { runNode, temporaryFolder } from '../support/joinery.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The state while npm reinstalls packages: the executable exists, what it loads does not yet. */
function installation(main: string): string {
  const folder = temporaryFolder();
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  mkdirSync(join(folder, 'src', 'cli'), { recursive: true });
  writeFileSync(join(folder, 'src', 'cli', 'main.ts'), main);
  return join(folder, 'bin', 'joinery.js');
}

test.each([
  ['a package', "import 'jsonc-parser';\nexport const main = () => {};\n", 'jsonc-parser'],
  ['a file', "export { main } from './commands.ts';\n", 'commands.ts'],
])('without %s it exits with 5 and an envelope, never with the 1 of findings', async (_, main, name) => {
  const executable = installation(main);
  const { code, stdout, stderr } = await runNode([executable, 'check', '--json']);
  expect(code).toBe(5);
  const { error } = ErrorEnvelope.parse(JSON.parse(stdout));
  expect(error.code).toBe('incomplete-installation');
  expect(error.message).toContain(name);
  expect(stderr).toMatch(/^joinery: .* Next: install Joinery again/);
  const spoken = await runNode([executable, 'check']);
  expect(spoken).toMatchObject({ code: 5, stdout: '' });
});
