import { checked, type GroundingCheck } from './check.ts';

/** A task that declares no file may have nothing to change; one that declares files and changes none is not done. */
export const nonEmptyDiff: GroundingCheck = {
  name: 'non-empty-diff',
  severity: 'blocking',
  check({ files, declared }) {
    if (files.length > 0) return checked([], `${files.length} files`);
    const isLesser = declared !== null && declared.length === 0;
    return checked([{ key: 'empty', message: 'nothing was changed', hint: 'do the work', isLesser }]);
  },
};
