import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';
import { runNode } from '../support/joinery.ts';

test('the demo shows a real incoherence, the fix and the pass, then a crew that survives a kill', async () => {
  const { code, stdout } = await runNode([join(root, 'scripts', 'demo.ts')]);
  const verdicts = stdout.split('\n').filter((line) => line.startsWith('exit code '));
  expect({ code, verdicts }).toEqual({
    code: 0,
    verdicts: ['exit code 1', 'exit code 0', 'exit code 0', 'exit code 0'],
  });
});
