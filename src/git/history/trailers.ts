import type { Git } from '#git/call/git.ts';

export interface CommitMessage {
  readonly commit: string;
  readonly body: string;
}

/** Messages of the commits that a branch adds, newest first. */
export async function messagesSince(git: Git, base: string, tip: string): Promise<CommitMessage[]> {
  const { stdout } = await git.run(['log', '-z', '--format=%H%n%B', '--end-of-options', `${base}..${tip}`]);
  return stdout
    .toString('utf8')
    .split('\0')
    .filter((record) => record !== '')
    .map((record) => {
      const end = record.indexOf('\n');
      return { commit: record.slice(0, end), body: record.slice(end + 1) };
    });
}
