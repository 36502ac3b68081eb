import type { Git, GitResult } from './git.ts';

/**
 * Puts everything that is not ignored into the index, except for these folders. `failed` is git's answer when a file
 * could not be read: then the index is not what lies on disk.
 */
export async function stageAll(
  git: Git,
  except: readonly string[],
): Promise<{ readonly failed: GitResult | null }> {
  const exclude = except.map((folder) => `:(exclude,top,literal)${folder}`);
  const add = await git.run(['add', '--all', '--', '.', ...exclude], {
    env: { GIT_LITERAL_PATHSPECS: '0' },
    accept: [0, 1, 128],
  });
  return { failed: add.code === 0 || isAboutIgnored(add) ? null : add };
}

/** Git complains when a folder that we leave out is ignored as well, which most are, and adds all the rest. */
function isAboutIgnored({ code, stderr }: GitResult): boolean {
  return (
    code === 1 &&
    /^The following paths are ignored by one of your \.gitignore files:/.test(stderr) &&
    !/^(error|fatal):/m.test(stderr)
  );
}
