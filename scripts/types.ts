/** `npm run types`: checks the sources, and the pages with the browser's types. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from './root.ts';

const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
const failed = ['.', 'web'].filter(
  (project) =>
    spawnSync(process.execPath, [compiler, '--noEmit', '-p', join(root, project)], { stdio: 'inherit' })
      .status !== 0,
);
process.exitCode = failed.length > 0 ? 1 : 0;
