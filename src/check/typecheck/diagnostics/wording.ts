/**
 * One error has several codes and wordings: with or without a suggestion (a compiler stops looking for them after ten), for a shorthand
 * property, for one missing property or many. Which one a tree gets depends on what else it contains, so two wordings must count as one
 * error.
 */
const families: readonly (readonly string[])[] = [
  // Cannot find name.
  ['TS2304', 'TS2552', 'TS2570', 'TS2662', 'TS2663', 'TS18004'],
  // Cannot find namespace.
  ['TS2503', 'TS2833'],
  // Property does not exist on type.
  ['TS2339', 'TS2550', 'TS2551', 'TS2568', 'TS2576'],
  // Module has no exported member.
  ['TS2305', 'TS2459', 'TS2460', 'TS2614', 'TS2694', 'TS2724'],
  // Object literal may only specify known properties.
  ['TS2353', 'TS2561'],
  // Properties are missing in type.
  ['TS2739', 'TS2740', 'TS2741'],
  // Type is not assignable, argument is not assignable.
  ['TS2322', 'TS2375', 'TS2820'],
  ['TS2345', 'TS2379'],
  // Only refers to a type.
  ['TS2585', 'TS2690', 'TS2693'],
  // Element implicitly has type any.
  ['TS7052', 'TS7053', 'TS7054'],
  // Possibly null or undefined.
  ['TS2531', 'TS2532', 'TS2533', 'TS18047', 'TS18048', 'TS18049'],
];

const familyByCode = new Map(families.flatMap((codes) => codes.map((code) => [code, codes[0] ?? code])));

/** The code that represents all codes of the same error. */
export function familyOfCode(code: string): string {
  return familyByCode.get(code) ?? code;
}

/** The text a compiler adds when it has a guess: TypeScript's "Did you mean", mypy's "; maybe". */
const suggestion = /(?:\.? Did you mean\b|; maybe\b)[\s\S]*$/;

/** The subject of a message, whatever its wording: within a family the quoted names, else the text without a guess. */
export function gistOf(code: string, message: string): string {
  const [first = ''] = message.replace(suggestion, '').split('\n');
  if (!familyByCode.has(code)) return first;
  return [...first.matchAll(/'([^']*)'/g)].map(([, name = '']) => name.replaceAll('"', '')).join(' ');
}
