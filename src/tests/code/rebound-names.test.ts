import { expect, test } from 'vitest';
import { readTests } from './read-tests.ts';
import { reboundNames } from './rebound-names.ts';
import type { Bindings } from './test-case.ts';

const before = 'from stock import Stock\n\n\ndef test_stock():\n    assert Stock(3).left == 3\n';

function bindings(text: string): Bindings {
  const found = readTests('test_stock.py', text)?.bindings;
  if (!found) throw new Error('no bindings were read');
  return found;
}

function told(line: string): string[] {
  return reboundNames(bindings(before), bindings(`${line}\n${before}`));
}

test.each([
  'sys.modules["stock"] = fake',
  'sys.modules[names[0]] = fake',
  'monkeypatch.setitem(sys.modules, "stock", fake)',
])('a module that is replaced is told: %s', (line) => {
  expect(told(line)).toEqual([expect.stringContaining('replaces what it tests')]);
});

test.each(['loaded = sys.modules["stock"]', 'assert sys.modules[names[0]] == stock'])(
  'a module that is looked at is not: %s',
  (line) => {
    expect(told(line)).toEqual([]);
  },
);
