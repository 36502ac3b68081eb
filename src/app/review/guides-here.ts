import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { openRepository } from '#git/call/repository.ts';
import { capGuides, governingGuides, mergeGuides } from '#review/guides/governing-guides.ts';
import { UsageError } from '#schema/errors.ts';
import type { GuidesReport } from '#schema/proof.ts';

/** Which guides of the checkout apply to files. The files need not exist yet. */
export async function guidesHere(
  { cwd }: Pick<Surroundings, 'cwd'>,
  paths: readonly string[],
): Promise<GuidesReport> {
  const { workTree } = await openRepository(cwd);
  if (workTree === null) {
    throw new UsageError({
      code: 'no-worktree',
      message: 'a bare repository has no guides to read',
      hint: 'go into a worktree of it: git worktree list',
    });
  }
  const top = realpathSync(workTree);
  const files = paths.map((typed) => {
    const path = pathFromTop(top, cwd, typed);
    return { path, all: governingGuides(path, (folder) => namesIn(join(top, folder))) };
  });
  const { guides, dropped } = mergeGuides(files.map(({ all }) => all));
  return {
    schema: 'joinery/guides@1',
    files: files.map(({ path, all }) => {
      const capped = capGuides(all);
      return { path, guides: [...capped.guides], dropped: [...capped.dropped] };
    }),
    guides: [...guides],
    dropped: [...dropped],
  };
}

function pathFromTop(top: string, cwd: string, typed: string): string {
  const path = relative(top, resolve(realpathSync(cwd), typed))
    .split(sep)
    .join('/');
  if (path !== '' && !path.startsWith('..') && dirname(path) !== path) return path;
  throw new UsageError({
    code: 'outside',
    message: `${JSON.stringify(typed)} is not a file of this repository`,
    hint: 'joinery guides src/file.ts',
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map(({ name }) => name);
  } catch {
    return [];
  }
}
