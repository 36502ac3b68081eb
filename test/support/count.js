// Loaded before the command under test (`--import`): writes what it starts, loads, parses and answers, one line each. Plain JavaScript, so that
// it loads nothing itself.

import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const file = process.env.JOINERY_COUNT_FILE;

if (file) {
  /** @type {(kind: string, value: unknown) => void} */
  const note = (kind, value) => appendFileSync(file, `${JSON.stringify([kind, value])}\n`);
  subscribe('child_process', (message) => {
    const { process: child } = /** @type {{ process: import('node:child_process').ChildProcess }} */ (
      message
    );
    child.once('spawn', () => note('program', child.spawnargs.join(' ')));
  });
  subscribe('joinery:parsed', (parsed) => note('parsed', parsed));
  subscribe('joinery:answered', (question) => note('answered', question));
  registerHooks({
    load(url, context, next) {
      if (url.startsWith('file:')) note('module', url);
      return next(url, context);
    },
  });
}
