import type { FileChange } from '#grounding/change/change.ts';
import { secretFinder } from '#grounding/change/found-secrets.ts';
import type { ChangedLines } from '#lib/changed-lines.ts';
import type { SecretSite } from '#lib/find-secrets.ts';
import { compileGlobs } from '#lib/glob.ts';
import type { Secret } from '#lib/redact.ts';
import type { GroundingCheck, Trouble } from './check.ts';

export const secretHint = 'take it out and read it from the environment; if it was ever real, replace it';

/** Secrets in added lines. A finding names the kind and the place, never the value. */
export const secrets: GroundingCheck = {
  name: 'secrets',
  severity: 'blocking',
  check({ files, policy, secrets: values = [] }) {
    const isExempt = compileGlobs(policy.notSecret);
    const find = secretFinder(policy);
    const known = (file: FileChange) => find(file).filter(({ isAllowed }) => !isAllowed);
    const troubles = files.flatMap((file): Trouble[] =>
      [...known(file), ...(isExempt(file.path) ? [] : valuesIn(file.lines.added, values))].map(
        ({ kind, line, isCertain }) => ({
          key: `${file.path} ${kind}`,
          file: file.path,
          line,
          message: `${file.path}:${line} adds what looks like ${kind}`,
          hint: secretHint,
          isLesser: !isCertain,
        }),
      ),
    );
    const unknown = files
      .filter(({ path, unreadable }) => unreadable !== null && !isExempt(path))
      .map(({ path, unreadable }) => ({ file: path, reason: unreadable ?? '' }));
    return { is: 'checked', troubles, unknown };
  },
};

/** Secrets without a known format, found by their value. */
function valuesIn(lines: ChangedLines['added'], values: readonly Secret[]): SecretSite[] {
  return lines.flatMap(({ line, text }) => {
    const found = values.find(([value]) => text.includes(value));
    return found === undefined ? [] : [{ kind: `the value of ${found[1]}`, line, isCertain: true }];
  });
}
