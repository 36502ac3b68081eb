import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runNode, temporaryFolder } from '#test/support/joinery.ts';

const module = fileURLToPath(new URL('./warnings.ts', import.meta.url));

test('the warning about SQLite is hidden, every other one is shown', async () => {
  const script = join(temporaryFolder(), 'script.mjs');
  writeFileSync(
    script,
    `import { hideKnownWarnings } from ${JSON.stringify(module)};
hideKnownWarnings();
process.emitWarning('SQLite is an experimental feature and might change at any time', 'ExperimentalWarning');
process.emitWarning('mind the gap');`,
  );
  expect((await runNode([script])).stderr).toBe('Warning: mind the gap\n');
});
