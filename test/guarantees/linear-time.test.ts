import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createContext, Script } from 'node:vm';
import { expect, test } from 'vitest';
import { syntaxOf } from '#code/languages/typescript/parse-text.ts';
import { Kind } from '#code/languages/typescript/tree/grammar.ts';
import { chance } from '#test/support/seed.ts';

const root = fileURLToPath(new URL('../../src/', import.meta.url));

interface Found {
  /** `lib/redact.ts:27`. */
  readonly where: string;
  readonly pattern: RegExp;
}

/** Every regular expression of the product that repeats anything: branches, agents and programs write the texts they read. */
async function expressions(): Promise<Found[]> {
  const found: Found[] = [];
  for (const file of globSync('**/*.ts', { cwd: root }).sort()) {
    if (/\.(test|d)\.ts$/.test(file)) continue;
    const text = readFileSync(`${root}${file}`, 'utf8');
    const tree = await syntaxOf(text, 'ts');
    for (const node of tree?.verbatim ?? []) {
      if (tree === null || tree.kind[node] !== Kind.RegExp) continue;
      const written = text.slice(tree.start[node], tree.end[node]);
      const close = written.lastIndexOf('/');
      if (!/[*+]|\{\d+,/.test(written)) continue;
      const line = text.slice(0, tree.start[node]).split('\n').length;
      found.push({
        where: `${file}:${line}`,
        pattern: new RegExp(written.slice(1, close), written.slice(close + 1)),
      });
    }
  }
  return found;
}

/** Beginnings and what follows them again and again, made of the words that an expression itself is made of. */
function attacksOn({ source }: RegExp): [string, string][] {
  const words = source.replace(/\\[a-zA-Z]/g, ' ').match(/[A-Za-z0-9_]{2,}|[^A-Za-z0-9_\s\\^$]/g) ?? [];
  const own = [...new Set(words)].slice(0, 14);
  const common = [' ', 'a', '0', '\n', 'a ', ' a', 'a.', 'a,', '\t'];
  const units = new Set([
    ...common,
    ...own,
    ...own.map((word) => `${word} `),
    ...own.map((word) => `${word}a`),
  ]);
  return ['', ...own.slice(0, 8)].flatMap((start) =>
    [...units].map((unit): [string, string] => [start, unit]),
  );
}

const search = new Script("pattern.global ? text.replace(pattern, '') : pattern.test(text)");
const around: { pattern?: RegExp; text?: string } = createContext({});

/** CPU milliseconds; without end when it takes seconds: one that doubles with each letter never comes back. */
function cost(pattern: RegExp, text: string): number {
  pattern.lastIndex = 0;
  Object.assign(around, { pattern, text });
  const before = process.cpuUsage();
  try {
    search.runInContext(around, { timeout: 2000 });
  } catch {
    return Number.POSITIVE_INFINITY;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function cheapest(times: number, measure: () => number): number {
  return Math.min(...Array.from({ length: times }, measure));
}

/** Four times the text: 4 times the time where it is linear, 16 times where it grows with the square. */
function growsTooFast(pattern: RegExp, start: string, unit: string): boolean {
  const text = (length: number) => `${start}${unit.repeat(Math.ceil(length / unit.length))}\u0001`;
  const short = text(3000);
  const first = cost(pattern, short);
  if (first < 1.5 || first === Number.POSITIVE_INFINITY) return first > 1.5;
  const small = cheapest(3, () => cost(pattern, short));
  if (small < 1) return false;
  const large = cheapest(3, () => cost(pattern, text(12_000)));
  return large > 15 && large > 8 * small;
}

test('the test finds an expression whose time grows with the square of the text', () => {
  expect(growsTooFast(/\s+$/, '', ' ')).toBe(true);
  expect(growsTooFast(/^(a+)+$/, '', 'a')).toBe(true);
  expect(growsTooFast(/(?<!\s)\s+$/, '', ' ')).toBe(false);
});

test('no expression takes more than time in proportion to its text', { timeout: 1_200_000 }, async () => {
  const all = await expressions();
  expect(all.length).toBeGreaterThan(300);
  const some = chance('regular expressions', { normal: 60, wide: 400, soak: all.length });
  const slow = some.pick(all).flatMap(({ where, pattern }) => {
    const attack = attacksOn(pattern).find(([start, unit]) => growsTooFast(pattern, start, unit));
    return attack ? [`${where} ${pattern} on ${JSON.stringify(attack)}`] : [];
  });
  expect(slow).toEqual([]);
});
