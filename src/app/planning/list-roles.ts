import { type RoleText, readRoles, roles, strayRoleFiles } from '#agents/prompt/roles.ts';
import { GitError } from '#git/call/git-error.ts';
import type { Repository } from '#git/call/repository.ts';
import { readRef } from '#git/merges/branches.ts';
import { ObjectReader } from '#git/objects/object-reader.ts';
import { readFilesIn } from '#git/trees/files-at.ts';
import { GitTree } from '#git/trees/tree.ts';
import { nearest } from '#lib/nearest.ts';
import { UsageError } from '#schema/errors.ts';
import type { RolesReport } from '#schema/planning.ts';

/** The prompts of roles in a commit. */
export async function listRoles(
  repository: Repository,
  ref: string,
  named: string | undefined,
): Promise<{ readonly report: RolesReport; readonly warnings: readonly string[] }> {
  const commit = await readRef(repository.git, ref);
  if (commit === null) {
    throw new GitError('unknown-ref', `there is no commit named ${JSON.stringify(ref)}`, {
      hint: 'name another: --base <rev>',
    });
  }
  const objects = new ObjectReader(repository.git);
  try {
    const tree = await GitTree.read(repository.git, commit);
    const texts = await readRoles((paths) => readFilesIn(tree, objects, paths));
    const shown = named === undefined ? texts : [find(texts, named)];
    return {
      report: {
        schema: 'joinery/roles@1',
        commit,
        roles: shown.map(({ name, origin, path, sha256 }) => ({
          name,
          what: roles.find((role) => role.name === name)?.what ?? '',
          origin,
          path,
          sha256,
        })),
        ...(named === undefined ? {} : { text: shown[0]?.text ?? '' }),
      },
      warnings: strayRoleFiles(tree.matching((path) => path.startsWith('.joinery/roles/'))),
    };
  } finally {
    objects.close();
  }
}

function find(texts: readonly RoleText[], named: string): RoleText {
  const found = texts.find(({ name }) => name === named);
  if (found) return found;
  const names = texts.map(({ name }) => name);
  const meant = nearest(named, names);
  throw new UsageError({
    code: 'unknown-role',
    message: `there is no role ${JSON.stringify(named)}${meant === null ? '' : `; did you mean "${meant}"?`}`,
    hint: `roles: ${names.join(', ')}`,
  });
}
