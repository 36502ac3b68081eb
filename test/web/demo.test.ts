import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/joinery.ts';
import { serve } from '../support/serving.ts';

test('the demo shows a crew, a workflow and a visitor, and leaves nothing behind', async () => {
  const outside = temporaryFolder();
  const served = serve(outside, { TMPDIR: outside }, 'ui', '--demo', '--json', '--no-open');
  const { url, key } = JSON.parse(await served.until('}')) as {
    url: string;
    key: string;
  };
  const home = async () => {
    const answer = await fetch(new URL('/api/v1/home', url), { headers: { authorization: `Bearer ${key}` } });
    const { runs, workflows, visitors, check } = (await answer.json()) as Record<string, unknown[]>;
    return [runs?.length, workflows?.length, visitors?.length, check !== null];
  };
  await expect.poll(home, { timeout: 180_000 }).toEqual([1, 1, 1, true]);
  expect(await served.interrupt()).toBe(0);
  expect(readdirSync(outside).filter((name) => name.startsWith('joinery-ui-demo'))).toEqual([]);
});
