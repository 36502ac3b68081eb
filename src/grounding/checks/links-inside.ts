import { posix } from 'node:path';
import { checked, type GroundingCheck, type Trouble } from './check.ts';

/** What a link leads to outside the repository is not part of the work: it can be anything later, and no other checkout has it. */
export const linksInside: GroundingCheck = {
  name: 'links-inside',
  severity: 'blocking',
  check({ files, tip }) {
    return checked(
      files.flatMap(({ path, target }): Trouble[] => {
        if (target === undefined) return [];
        const found = posix.join(posix.dirname(path), target);
        const isOutside = target === '' || posix.isAbsolute(target) || /^\.\.(\/|$)/.test(found);
        const inTree = found.replace(/\/$/, '');
        const isThere = inTree === '.' || tip.has(inTree) || tip.isDirectory(inTree);
        if (!isOutside && isThere) return [];
        const where = isOutside ? 'outside the repository' : 'which is not in the repository';
        return [
          {
            key: path,
            file: path,
            message: `${path} is a link to ${JSON.stringify(target)}, ${where}`,
            hint: 'commit the file itself, or link to a file of the repository',
            isLesser: !isOutside,
          },
        ];
      }),
    );
  },
};
