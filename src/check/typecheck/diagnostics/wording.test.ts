import { expect, test } from 'vitest';
import { keysOf, type PlacedDiagnostic } from './diagnostic-keys.ts';

const place = { file: 'src/a.ts', line: 3, column: 1, endLine: 3, text: '', symbol: 'src/a.ts#f' };

/** The same error in the wording of two trees, on a line that was reformatted in between. */
const same: readonly (readonly [string, string, string, string])[] = [
  ['TS2304', "Cannot find name 'total'.", 'TS2552', "Cannot find name 'total'. Did you mean 'totals'?"],
  [
    'TS2304',
    "Cannot find name 'total'.",
    'TS18004',
    "No value exists in scope for the shorthand property 'total'. Either declare one or provide an initializer.",
  ],
  [
    'TS2339',
    "Property 'mail' does not exist on type 'User'.",
    'TS2551',
    "Property 'mail' does not exist on type 'User'. Did you mean 'email'?",
  ],
  [
    'TS2305',
    "Module '\"./user\"' has no exported member 'load'.",
    'TS2724',
    "'\"./user\"' has no exported member named 'load'. Did you mean 'reload'?",
  ],
  [
    'TS2353',
    "Object literal may only specify known properties, and 'mail' does not exist in type 'User'.",
    'TS2561',
    "Object literal may only specify known properties, but 'mail' does not exist in type 'User'. Did you mean to write 'email'?",
  ],
  [
    'mypy:attr-defined',
    '"User" has no attribute "mail"',
    'mypy:attr-defined',
    '"User" has no attribute "mail"; maybe "email"?',
  ],
];

function share(one: PlacedDiagnostic, other: PlacedDiagnostic): boolean {
  const keys = keysOf(one);
  return keysOf(other).some((key) => keys.includes(key));
}

test.each(same)('%s "%s" and %s "%s" are the same error', (code, message, otherCode, other) => {
  const one = { ...place, code, message, text: 'f(a)' };
  expect(share(one, { ...place, code: otherCode, message: other, text: 'f( a )' })).toBe(true);
  expect(share(one, { ...place, code: otherCode, message: other, text: 'f(a)', line: 9 })).toBe(true);
});

test('errors about other names, in another symbol or of another family are different errors', () => {
  const one = { ...place, code: 'TS2304', message: "Cannot find name 'total'.", text: 'f(total)' };
  expect(share(one, { ...one, message: "Cannot find name 'sum'.", text: 'f(sum)' })).toBe(false);
  expect(share(one, { ...one, symbol: 'src/a.ts#g' })).toBe(false);
  expect(share(one, { ...one, code: 'TS2554', message: 'Expected 1 arguments.' })).toBe(false);
});
