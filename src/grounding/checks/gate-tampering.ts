import type { Change } from '#grounding/change/change.ts';
import { answersOfTests } from '#grounding/integrity/answers-of-tests.ts';
import { runnerAware } from '#grounding/integrity/runner-aware.ts';
import { testDamage } from '#grounding/integrity/test-integrity.ts';
import { touchedGates } from '#grounding/integrity/touched-gates.ts';
import { declaredPath } from '#schema/declared-files.ts';
import type { GroundingCheck, Trouble } from './check.ts';

const mostLines = 5;
const hint = 'revert it; if the task cannot be done without it, say that you are blocked: a person decides';

/**
 * No task may change what it is measured by: what gates run, and what tests demand. Only a task of the plan that names the
 * exact file may; a declared folder or an amended declaration is not enough.
 */
export const gateTampering: GroundingCheck = {
  name: 'gate-tampering',
  severity: 'blocking',
  check(change) {
    const named = new Set((change.declared ?? []).map(declaredPath));
    const inputsTouched = touchedGates(change);
    const touched = change.files.flatMap((file): Trouble[] => {
      if (named.has(file.path) && named.has(file.oldPath)) return [];
      return inputsTouched(file).map(({ what, detail, isLesser }) => ({
        key: `${file.oldPath} ${what}`,
        file: file.path,
        message: !/^(script|setting|tool(?! config)|manifest)\b/.test(what)
          ? `${file.path} was changed: ${detail}`
          : `${file.path}: ${what} ${detail}`,
        hint,
        isLesser,
      }));
    });
    const { damage, unknown } = testDamage(change);
    const damaged = damage.map(({ file, line, key, message, isLesser }) => ({
      key: `${file} ${key}`,
      file,
      ...(line === null ? {} : { line }),
      message,
      hint,
      isLesser: isLesser || named.has(file),
    }));
    const aware = runnerAware(change).map(({ file, line, what, isLesser }) => ({
      key: `${file} ${what}`,
      file,
      line,
      message: `${file}:${line} ${what}`,
      hint: 'a source must behave the same in tests and in use',
      isLesser,
    }));
    const answers = answersOfTests(change).map(({ file, line, test, asked }) => ({
      key: `${file} answers of ${test}`,
      file,
      line,
      message: `${file}:${line} holds what ${test} asks and expects (its lines ${asked.slice(0, mostLines).join(', ')})`,
      hint: 'work the answer out from what is asked; a table that the task wants is for a person to say',
      isLesser: true,
    }));
    return {
      is: 'checked',
      troubles: [...touched, ...damaged, ...aware, ...answers],
      unknown: [...unknown, ...unreadableTests(change)],
    };
  },
};

/** An unreadable test may have lost anything. */
function unreadableTests({ files }: Change): { file: string; reason: string }[] {
  return files
    .filter(({ unreadable }) => unreadable !== null)
    .map(({ path, unreadable }) => ({ file: path, reason: unreadable ?? '' }));
}
