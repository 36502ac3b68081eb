import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { Git } from '#git/call/git.ts';
import { configFor, type Scratch } from '#git/objects/scratch.ts';
import type { CheckoutSettings } from './checkout-settings.ts';

/**
 * A git that moves files between Joinery's objects and a folder as the user's git would. It sees nothing of the repository: no config, no
 * attributes, no index.
 */
export function checkoutGit(
  scratch: Scratch,
  settings: CheckoutSettings,
  workTree: string,
  index?: string,
): Git {
  const dir = join(scratch.dir, 'checkout');
  const userAttributes = join(dir, 'user-attributes');
  // Created once: git may be reading there for another worktree.
  if (!existsSync(dir)) {
    for (const folder of ['refs', 'info']) mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, 'HEAD'), 'ref: refs/heads/none\n');
    writeFileSync(join(dir, 'config'), configFor(scratch));
    writeFileSync(userAttributes, settings.attributes.user, 'latin1');
    writeFileSync(join(dir, 'info', 'attributes'), settings.attributes.repository, 'latin1');
  }
  return new Git({
    cwd: workTree,
    prepare: (name) => scratch.own.write(name),
    config: [
      ...settings.config,
      ['core.attributesFile', userAttributes],
      ['core.bare', 'false'],
      ['core.sparseCheckout', 'false'],
      ['submodule.recurse', 'false'],
    ],
    env: {
      GIT_DIR: dir,
      GIT_WORK_TREE: workTree,
      GIT_OBJECT_DIRECTORY: scratch.objectsDir,
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_SYSTEM: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_ATTR_NOSYSTEM: '1',
      ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
    },
  });
}
