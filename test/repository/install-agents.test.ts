import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '#scripts/root.ts';
import { runNode, temporaryFolder } from '../support/joinery.ts';

const script = join(root, 'scripts', 'install-agents.ts');

test('an agent that cannot be fetched fails visibly, and nothing half-finished is left', async () => {
  const cache = temporaryFolder();
  const outcome = await runNode([script, 'codex'], {
    env: {
      JOINERY_CACHE_DIR: cache,
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
    },
  });
  expect(outcome.code).toBe(5);
  expect(outcome.stderr).toMatch(
    /npm could not fetch @openai\/codex@[\d.]+ .* Next: npm view @openai\/codex@/,
  );
  const again = await runNode([script, '--help'], { env: { JOINERY_CACHE_DIR: cache } });
  expect(again.stderr).toMatch(
    /There is no agent "--help"\. Next: npm run agents:install -- .*\bclaude codex\b/,
  );
  expect(again.code).toBe(5);
});
