import type { Repository } from '#git/call/repository.ts';
import type { DiffView } from '#schema/window.ts';

const mostBytes = 2_000_000;

/** The unified diff of two commits, cut after a whole file if it is too long to show. */
export async function diffBetween({ git }: Repository, from: string, to: string): Promise<DiffView> {
  const { stdout } = await git.run([
    'diff-tree',
    '-r',
    '-p',
    '--no-color',
    '--no-ext-diff',
    '--no-textconv',
    '--find-renames',
    '--full-index',
    from,
    to,
  ]);
  const whole = stdout.toString('utf8');
  const text = whole.length <= mostBytes ? whole : cutBehindFile(whole);
  return { schema: 'joinery/diff@1', from, to, text, isCut: text.length < whole.length };
}

function cutBehindFile(text: string): string {
  const at = text.lastIndexOf('\ndiff --git ', mostBytes);
  return at < 0 ? '' : text.slice(0, at + 1);
}
