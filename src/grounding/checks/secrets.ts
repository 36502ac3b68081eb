import { findSecrets } from '#lib/find-secrets.ts';
import { compileGlobs } from '#lib/glob.ts';
import type { GroundingCheck, Trouble } from './check.ts';

/** Secrets in added lines. What was found is named by kind and place, never by its value. */
export const secrets: GroundingCheck = {
  name: 'secrets',
  severity: 'blocking',
  check({ files, policy }) {
    const isExempt = compileGlobs(policy.notSecret);
    const looked = files.filter(({ path }) => !isExempt(path));
    const troubles = looked.flatMap(({ path, lines }): Trouble[] =>
      findSecrets(path, lines.added).map(({ kind, line, isCertain }) => ({
        key: `${path} ${kind}`,
        file: path,
        line,
        message: `${path}:${line} adds what looks like ${kind}`,
        hint: 'take it out and read it from the environment; if it was ever real, replace it',
        isLesser: !isCertain,
      })),
    );
    const unknown = looked
      .filter(({ unreadable }) => unreadable !== null)
      .map(({ path, unreadable }) => ({ file: path, reason: unreadable ?? '' }));
    return { is: 'checked', troubles, unknown };
  },
};
