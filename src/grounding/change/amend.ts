import { covers, declaredPath, isCovered } from '#schema/declared-files.ts';
import type { Amendment } from '#schema/grounding.ts';
import type { Change } from './change.ts';

interface Asked {
  readonly file: string;
  readonly reason: string;
}

/** A shorter text is not a reason. */
const shortestReason = 10;

/** What an agent may add to its own declaration: a few files that no other task works on, with a reason. */
export function grantAmendments(
  asked: readonly Asked[],
  { declared, granted, others, policy }: Pick<Change, 'declared' | 'granted' | 'others' | 'policy'>,
): Amendment[] {
  let left = policy.amendments - granted.length;
  return asked.map(({ file, reason }) => {
    const refused = refusal();
    if (refused === null) left -= 1;
    return { file: declaredPath(file), reason, refused };

    function refusal(): string | null {
      const owner = others.find(
        (task) => !task.isFinished && task.files.some((each) => covers(each, declaredPath(file))),
      );
      if (owner && !isCovered(declared ?? [], declaredPath(file)))
        return `it belongs to task ${owner.id}, which is not finished`;
      if (!isPathInside(file)) return 'it names no single file of the repository';
      if (reason.trim().length < shortestReason) return 'the reason is missing';
      return left > 0 ? null : `no more than ${policy.amendments} files can be added`;
    }
  });
}

function isPathInside(file: string): boolean {
  return (
    !/^[/\\]|^[A-Za-z]:|[\0\n]|\/$/.test(file) &&
    !file.split(/[\\/]/).includes('..') &&
    declaredPath(file) !== ''
  );
}
