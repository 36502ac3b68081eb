/** A process that lands: reads its order from stdin, waits at the barrier, prints the outcome. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Git } from '#git/call/git.ts';
import { openRepository } from '#git/call/repository.ts';
import { land } from '#integrate/land/land.ts';

export interface LandingOrder {
  readonly dir: string;
  readonly from: string;
  readonly to: string;
  readonly isBack?: boolean;
  /** Created when this process is ready; it starts when the other file exists. */
  readonly barrier?: { readonly ready: string; readonly go: string };
}

const { dir, from, to, isBack = false, barrier } = JSON.parse(readFileSync(0, 'utf8')) as LandingOrder;
const repository = await openRepository(dir);
if (barrier) {
  writeFileSync(barrier.ready, '');
  while (!existsSync(barrier.go)) await wait(2);
}
const git = new Git({ cwd: repository.commonDir, isDurable: true });
const wishes = { ref: 'refs/heads/main', from, to, isProtected: false, mayUpdateCheckout: true, isBack };
console.log(JSON.stringify(await land(repository, git, wishes)));
