import { expect, test } from 'vitest';
import type { Facts } from '#code/facts/facts.ts';
import { languageOf } from '#code/languages/index.ts';
import type { TextPair } from './rule.ts';
import { autoResolvableConflict } from './t02-auto-resolvable-conflict.ts';

const path = 'a.py';
const base = 'def one():\n    return 1\n';
const [idOfA, idOfB] = ['a'.repeat(40), 'b'.repeat(40)];
const conflict = (ours: string, theirs: string) =>
  `<<<<<<< ${idOfA}\n${ours}=======\n${theirs}>>>>>>> ${idOfB}\n`;

async function factsOf(text: string): Promise<Facts> {
  const python = languageOf(path);
  await python?.prepare();
  const facts = python?.extract(text);
  if (!facts) throw new Error('nothing reads Python');
  return facts;
}

/** Two branches that conflict in one file; counts how often the merged text is read. */
async function hintsFor(ours: string, theirs: string, merged: string) {
  let reads = 0;
  const [before, ofA, ofB] = [await factsOf(base), await factsOf(ours), await factsOf(theirs)];
  const side = (ref: string, facts: Facts) => ({
    ref,
    tree: { facts: () => facts },
    factsBefore: () => before,
  });
  const pair = {
    a: side('a', ofA),
    b: side('b', ofB),
    conflict: { paths: [path] },
    sites: [],
    read: async () => {
      reads += 1;
      return merged;
    },
  } as unknown as TextPair;
  const hints = await autoResolvableConflict.detect.text(pair);
  return { reads, messages: hints.map(({ diagnosis }) => diagnosis.message) };
}

test('a symbol that both changed gets no hint, and the merged text is not parsed', async () => {
  const [ours, theirs] = ['def one():\n    return 11\n', 'def one():\n    return 12\n'];
  expect(await hintsFor(ours, theirs, conflict(ours, theirs))).toEqual({ reads: 0, messages: [] });
});

test('distinct symbols make the merged text worth reading; there is no hint where keeping both would lose something', async () => {
  const [two, three] = ['def two():\n    return 2\n', 'def three():\n    return 3\n'];
  const broken = base + conflict(two, `${three}    (\n`);
  expect(await hintsFor(base + two, base + three, broken)).toEqual({ reads: 1, messages: [] });
});
