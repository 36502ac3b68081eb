import { declaredPath } from '#schema/declared-files.ts';
import { checked, type GroundingCheck, skipped } from './check.ts';

/** Every declared file exists, or existed and was deleted. */
export const declaredFiles: GroundingCheck = {
  name: 'declared-files',
  severity: 'blocking',
  check({ declared, base, tip }) {
    if (declared === null || declared.length === 0) return skipped('no files are declared');
    const absent = declared
      .map(declaredPath)
      .filter((path) => ![tip, base].some((tree) => tree.has(path) || tree.isDirectory(path)));
    return checked(
      absent.map((path) => ({
        key: path,
        file: path,
        message: `${path} is declared and does not exist`,
        hint: `write ${path}, or say in the handoff why it is not needed`,
      })),
    );
  },
};
