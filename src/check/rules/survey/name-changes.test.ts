import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withLines } from './changed-text.ts';
import { DistinctiveNames } from './distinctive-names.ts';
import { readNames } from './name-changes.ts';

function changed(path: string, oldPath: string, before: string, after: string) {
  const file = { path, oldPath, isNew: before === '', isGone: after === '', before, after };
  return withLines({ ...file, factsBefore: undefined, factsAfter: undefined });
}

/** Every line of both versions is read, also those that did not change. */
function readAllLines(path: string, oldPath: string, before: string, after: string) {
  const countsOf = (file: string, text: string) => {
    const names = new DistinctiveNames(file, text);
    return Map.groupBy(
      text.split('\n').flatMap((line) => [...names.inLine(line)]),
      (name) => name,
    );
  };
  const [old, now] = [countsOf(oldPath, before), countsOf(path, after)];
  return {
    gone: [...old.keys()].filter((name) => !now.has(name)),
    added: [...now].flatMap(([name, { length }]) => (length > (old.get(name)?.length ?? 0) ? [name] : [])),
  };
}

const line = fc
  .array(
    fc.constantFrom('API_TOKEN', 'user-card', "'cart.empty'", 'sendMail', 'const', '=', 'x', 'user_id', '//'),
    { maxLength: 4 },
  )
  .map((words) => words.join(' '));
const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
const path = fc.constantFrom('a.ts', 'a.yml');

describe('names of a changed file', () => {
  test('are those that reading all lines of both versions gives, in the same order', () => {
    fc.assert(
      fc.property(path, path, text, text, (to, from, before, after) => {
        const found = readNames(changed(to, from, before, after)) ?? { gone: [], added: [] };
        const names = (changes: readonly (readonly [string, ...unknown[]])[]) =>
          changes.map(([name]) => name);
        expect({ gone: names(found.gone), added: names(found.added) }).toEqual(
          readAllLines(to, from, before, after),
        );
      }),
      { numRuns: 500, seed: 7 },
    );
  });

  test('have the line of their first occurrence, and are defined if one occurrence is a definition', () => {
    const before = 'a: OLD_NAME\nOLD_NAME: 1\n';
    const after = 'a: NEW_NAME\n\nNEW_NAME: 1\n';
    expect(readNames(changed('a.yml', 'a.yml', before, after))).toEqual({
      gone: [['OLD_NAME', 1, true]],
      added: [['NEW_NAME', 1, true]],
    });
  });

  test('are the same when there are too many to search each of them', () => {
    const many = Array.from({ length: 60 }, (_, index) => `KEY_NUMBER_${index}: 1`);
    const found = readNames(changed('a.yml', 'a.yml', many.join('\n'), many.slice(55).join('\n')));
    expect(found?.gone).toEqual(
      many.slice(0, 55).map((_, index) => [`KEY_NUMBER_${index}`, index + 1, true]),
    );
    expect(found?.added).toEqual([]);
  });
});
