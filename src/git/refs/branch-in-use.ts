import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from '#git/call/repository.ts';

/** Files that name the branch git returns to when an operation in progress ends. */
const marks: readonly { readonly file: string; readonly what: string }[] = [
  { file: 'rebase-merge/head-name', what: 'a rebase' },
  { file: 'rebase-apply/head-name', what: 'a rebase' },
  { file: 'BISECT_START', what: 'a bisection' },
];

/** What a checkout is doing with a branch that is not its HEAD (`a rebase`); null when none is. Git moves the branch at the end. */
export function branchInUse({ commonDir }: Pick<Repository, 'commonDir'>, ref: string): string | null {
  const linked = join(commonDir, 'worktrees');
  const folders = existsSync(linked) ? readdirSync(linked).map((name) => join(linked, name)) : [];
  const names = [ref, ref.replace(/^refs\/heads\//, '')];
  for (const folder of [commonDir, ...folders]) {
    for (const { file, what } of marks) {
      const path = join(folder, file);
      if (existsSync(path) && names.includes(readFileSync(path, 'utf8').trim())) return what;
    }
  }
  return null;
}
