import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Facts } from '#code/facts/facts.ts';
import { FactsStore } from '#code/facts/facts-store.ts';
import { FactsReader } from './facts-reader.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'joinery-facts-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Enough files for a second process, one of them binary. */
const files = Array.from({ length: 1100 }, (_, i) => {
  const text =
    i === 700 ? 'a\0b' : `import { a } from './${i}';\nexport function f${i}(x: number) { return a(x); }\n`;
  const blob = createHash('sha1').update(text).digest('hex');
  return { path: `src/${i}.${i % 9 === 0 ? 'py' : 'ts'}`, blob, content: Buffer.from(text) };
});
const contents = new Map(files.map(({ blob, content }) => [blob, content]));

async function read(name: string, processes: number) {
  const store = new FactsStore(join(folder, name), 2 ** 30);
  const source = {
    blob: async (id: string) => ({ size: contents.get(id)?.length ?? 0, content: contents.get(id) ?? null }),
  };
  const reader = new FactsReader(source, store, processes);
  await reader.load(files);
  store.close();
  expect(store.problem).toBeNull();
  return reader;
}

function allFacts(reader: FactsReader): unknown[] {
  const parts = (facts: Facts | undefined) =>
    facts && [facts.module, facts.syntaxError, facts.definitions, facts.imports, facts.exports, facts.uses];
  return files.map(({ path, blob }) => parts(reader.facts(path, blob)) ?? reader.unreadable(blob));
}

describe('reading many files', () => {
  test('facts that were let go are read from the store again', async () => {
    const store = new FactsStore(join(folder, 'again.db'), 2 ** 30);
    const source = { blob: async (id: string) => ({ size: 1, content: contents.get(id) ?? null }) };
    const reader = new FactsReader(source, store, 1);
    const few = files.slice(0, 3);
    await reader.load(few);
    const [first] = few;
    reader.forget([first?.blob ?? '']);
    expect(few.map(({ path, blob }) => reader.isLoaded(path, blob))).toEqual([false, true, true]);
    await reader.load(few);
    expect(reader.counts).toEqual({ extracted: 3, cached: 1 });
    store.close();
  });

  test('gives the same facts in two processes as in one, and the same from the store', async () => {
    const one = await read('one.db', 1);
    expect(one.counts).toEqual({ extracted: 1099, cached: 0 });
    const two = await read('two.db', 2);
    expect(two.counts).toEqual(one.counts);
    expect(allFacts(two)).toEqual(allFacts(one));
    expect(allFacts(one)[700]).toBe('binary content');
    const stored = await read('two.db', 2);
    expect(stored.counts).toEqual({ extracted: 0, cached: 1099 });
    expect(allFacts(stored)).toEqual(allFacts(one));
  });
});
