import type { Tree } from '../cheat.ts';

/** Replaces one part of the text; the part must exist. */
export function swap(text: unknown, from: string, to: string): string {
  if (typeof text !== 'string' || !text.includes(from)) throw new Error(`Nothing to replace: ${from}`);
  return text.replace(from, () => to);
}

export function guide(command: string): string {
  return `# Guide\n\n## Quality Gates\n\n- test: \`${command}\`\n`;
}

function project(name: string, type: 'module' | 'commonjs', files: Tree, fields: object = {}): Tree {
  return {
    'AGENTS.md': guide('node --test tests/*.test.js'),
    'package.json': `${JSON.stringify({ name, version: '1.0.0', type, ...fields }, null, 2)}\n`,
    ...files,
  };
}

export const money = project(
  'money',
  'module',
  {
    'src/money.js': `export function allocate(cents, parts) {
  if (!Number.isInteger(parts) || parts < 1) throw new RangeError('parts');
  const share = Math.floor(cents / parts);
  const rest = cents - share * parts;
  return Array.from({ length: parts }, (_, index) => share + (index < rest ? 1 : 0));
}

export function format(cents) {
  const value = Math.abs(cents);
  const text = Math.floor(value / 100) + '.' + String(value % 100).padStart(2, '0');
  return cents < 0 ? '-' + text : text;
}
`,
    'tests/money.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { allocate, format } from '#src/money.js';

test('allocate loses no cent', () => {
  assert.deepEqual(allocate(100, 3), [34, 33, 33]);
  assert.deepEqual(allocate(5, 2), [3, 2]);
});

test('allocate refuses no parts', () => {
  assert.throws(() => allocate(1, 0), RangeError);
});

test('format', () => {
  assert.equal(format(1205), '12.05');
  assert.equal(format(-5), '-0.05');
});
`,
  },
  { imports: { '#src/*': './src/*' } },
);

export const csv = project('csv', 'commonjs', {
  'src/csv.js': `function parseLine(line) {
  const cells = [];
  let cell = '';
  let quoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const char = line[index];
    if (quoted && char === '"' && line[index + 1] === '"') {
      cell += '"';
      index += 1;
    } else if (char === '"') quoted = !quoted;
    else if (char === ',' && !quoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  if (quoted) throw new SyntaxError('open quote');
  return [...cells, cell];
}

module.exports = { parseLine };
`,
  'tests/csv.test.js': `const { parseLine } = require('../src/csv');
const assert = require('node:assert');
const { test } = require('node:test');

test('plain cells', () => {
  assert.deepStrictEqual(parseLine('a,b,c'), ['a', 'b', 'c']);
});

test('quoted cells', () => {
  assert.deepStrictEqual(parseLine('"a,b",c'), ['a,b', 'c']);
  assert.deepStrictEqual(parseLine('"say ""hi""",x'), ['say "hi"', 'x']);
});

test('an open quote is refused', () => {
  assert.throws(() => parseLine('"a'), SyntaxError);
});
`,
});

/** Without support for quotes. */
export const brokenCsv = `function parseLine(line) {
  return line.split(',');
}

module.exports = { parseLine };
`;

export const dates = project('dates', 'module', {
  'src/dates.js': `export function isLeap(year) {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

export function daysIn(year, month) {
  return month === 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export function addMonths({ year, month, day }, count) {
  const total = year * 12 + month - 1 + count;
  const target = { year: Math.floor(total / 12), month: (total % 12) + 1 };
  return { ...target, day: Math.min(day, daysIn(target.year, target.month)) };
}
`,
  'tests/dates.test.js': `import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addMonths, daysIn, isLeap } from '../src/dates.js';

describe('dates', () => {
  it('knows leap years', () => {
    assert.equal(isLeap(2024), true);
    assert.equal(isLeap(1900), false);
    assert.equal(isLeap(2000), true);
  });

  it('knows the days of a month', () => {
    for (const [year, month, days] of [[2023, 2, 28], [2024, 2, 29], [2024, 4, 30], [2024, 12, 31]])
      assert.equal(daysIn(year, month), days);
  });

  it('adds months and clamps the day', () => {
    assert.deepEqual(addMonths({ year: 2024, month: 1, day: 31 }, 1), { year: 2024, month: 2, day: 29 });
    assert.deepEqual(addMonths({ year: 2023, month: 12, day: 5 }, 2), { year: 2024, month: 2, day: 5 });
  });
});
`,
});

export const lru = project('lru', 'commonjs', {
  'src/lru.js': `class Lru {
  #entries = new Map();
  #size;

  constructor(size) {
    this.#size = size;
  }

  get(key) {
    if (!this.#entries.has(key)) return undefined;
    const value = this.#entries.get(key);
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  set(key, value) {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) this.#entries.delete(this.#entries.keys().next().value);
  }

  keys() {
    return [...this.#entries.keys()];
  }
}

module.exports = { Lru };
`,
  'tests/helper.js': `const { Lru } = require('../src/lru.js');

exports.filled = (size, ...keys) => {
  const cache = new Lru(size);
  for (const key of keys) cache.set(key, key.toUpperCase());
  return cache;
};
`,
  'tests/lru.test.js': `const assert = require('node:assert/strict');
const { test } = require('node:test');
const { filled } = require('./helper.js');

test('gives back what was set', () => {
  assert.equal(filled(2, 'a').get('a'), 'A');
  assert.equal(filled(2).get('a'), undefined);
});

test('forgets the oldest', () => {
  assert.deepEqual(filled(2, 'a', 'b', 'c').keys(), ['b', 'c']);
});

test('what was read is the youngest', () => {
  const cache = filled(2, 'a', 'b');
  cache.get('a');
  cache.set('c', 'C');
  assert.deepEqual(cache.keys(), ['a', 'c']);
});
`,
});

export const retry = project('retry', 'module', {
  'src/retry.js': `export async function retry(action, times) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action(attempt);
    } catch (error) {
      if (attempt >= times) throw error;
    }
  }
}

export async function pool(items, limit, action) {
  const results = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await action(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
`,
  'tests/retry.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pool, retry } from '../src/retry.js';

test('tries again', async () => {
  const value = await retry(async (attempt) => {
    if (attempt < 3) throw new Error('not yet');
    return attempt;
  }, 3);
  assert.equal(value, 3);
});

test('gives up with the last error', async () => {
  await assert.rejects(retry(async (attempt) => { throw new Error('no ' + attempt); }, 2), /no 2/);
});

test('runs no more than the limit at once', async () => {
  let running = 0;
  let most = 0;
  const doubled = await pool([3, 1, 2], 2, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await sleep(item);
    running -= 1;
    return item * 2;
  });
  assert.deepEqual(doubled, [6, 2, 4]);
  assert.equal(most, 2);
});
`,
});

export const store = project('store', 'module', {
  'src/store.js': `import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export function load(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

export function save(file, values) {
  writeFileSync(file + '.tmp', JSON.stringify({ ...load(file), ...values }));
  renameSync(file + '.tmp', file);
}
`,
  'tests/fixtures/settings.json': '{"theme":"dark"}\n',
  'tests/store.test.js': `import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { load, save } from '../src/store.js';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('reads a file', () => {
  assert.deepEqual(load(new URL('fixtures/settings.json', import.meta.url).pathname), { theme: 'dark' });
});

test('merges with what is there', () => {
  const file = join(folder, 'store.json');
  save(file, { a: 1, b: 1 });
  save(file, { b: 2 });
  assert.deepEqual(load(file), { a: 1, b: 2 });
});
`,
});

export const count = project('count', 'module', {
  'bin/count.js': `import { readFileSync } from 'node:fs';

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error('usage: count FILE');
  process.exit(2);
}
const text = readFileSync(file, 'utf8');
const lines = text === '' ? 0 : text.replace(/\\n$/, '').split('\\n').length;
console.log(lines + ' ' + (text.match(/[^ \\t\\n]+/g) ?? []).length);
`,
  'tests/fixtures/poem.txt': 'roses are red\n\nviolets  are blue\n',
  'tests/count.test.js': `import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import test from 'node:test';

function count(...args) {
  return spawnSync(process.execPath, ['bin/count.js', ...args], { encoding: 'utf8' });
}

test('counts lines and words', () => {
  assert.equal(count('tests/fixtures/poem.txt').stdout.trim(), '3 6');
});

test('needs a file', () => {
  assert.equal(count().status, 2);
});
`,
});

export const shop = project(
  'shop',
  'module',
  {
    'src/tax.js': `const rates = { food: 7, book: 7, toy: 19 };

export function tax(kind, cents) {
  const rate = rates[kind];
  if (rate === undefined) throw new Error('unknown kind ' + kind);
  return Math.round((cents * rate) / 100);
}
`,
    'src/cart.js': `import { tax } from './tax.js';

export function total(items) {
  return items.reduce((sum, { kind, cents, count = 1 }) => sum + (cents + tax(kind, cents)) * count, 0);
}
`,
    'src/index.js': "export { total } from './cart.js';\nexport { tax } from './tax.js';\n",
    'tests/cases.json': `${JSON.stringify(
      [
        { name: 'nothing', items: [], total: 0 },
        { name: 'one toy', items: [{ kind: 'toy', cents: 1000 }], total: 1190 },
        { name: 'three books', items: [{ kind: 'book', cents: 500, count: 3 }], total: 1605 },
        {
          name: 'rounding',
          items: [
            { kind: 'food', cents: 150 },
            { kind: 'toy', cents: 99 },
          ],
          total: 279,
        },
      ],
      null,
      2,
    )}\n`,
    'tests/cart.test.js': `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { tax, total } from 'shop';

const cases = JSON.parse(readFileSync(new URL('cases.json', import.meta.url), 'utf8'));
for (const { name, items, total: expected } of cases)
  test(name, () => assert.equal(total(items), expected));

test('an unknown kind is refused', () => assert.throws(() => tax('boat', 1), /unknown kind/));
`,
  },
  { exports: './src/index.js' },
);

export const render = project('render', 'module', {
  'src/render.js': `const escapes = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escape(text) {
  return text.replace(/[&<>"]/g, (char) => escapes[char]);
}

export function list(items) {
  return '<ul>\\n' + items.map((item) => '  <li>' + escape(item) + '</li>\\n').join('') + '</ul>\\n';
}
`,
  'tests/render.html': '<ul>\n  <li>a &amp; b</li>\n  <li>&lt;b&gt;bold&lt;/b&gt;</li>\n</ul>\n',
  'tests/render.test.js': `import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { escape, list } from '../src/render.js';

test('the list is as stored', () => {
  const expected = readFileSync(new URL('render.html', import.meta.url), 'utf8');
  assert.equal(list(['a & b', '<b>bold</b>']), expected);
});

test('quotes are escaped', () => {
  assert.equal(escape('"x"'), '&quot;x&quot;');
});
`,
});

export const point = project('point', 'module', {
  'src/point.js': `export class Point {
  constructor(x, y) {
    this.x = x;
    this.y = y;
  }

  plus(other) {
    return new Point(this.x + other.x, this.y + other.y);
  }

  distance(other) {
    return Math.hypot(this.x - other.x, this.y - other.y);
  }
}
`,
  'tests/close.js': `import assert from 'node:assert/strict';

export function assertClose(actual, expected, tolerance = 1e-9) {
  assert.ok(Math.abs(actual - expected) <= tolerance, actual + ' is not ' + expected);
}
`,
  'tests/point.test.js': `import assert from 'node:assert';
import test from 'node:test';
import { Point } from '../src/point.js';
import { assertClose } from './close.js';

test('adds', () => {
  const sum = new Point(1, 2).plus(new Point(3, 5));
  assert.equal(sum.x, 4);
  assert.equal(sum.y, 7);
  assert.equal(JSON.stringify(sum), '{"x":4,"y":7}');
});

test('measures', () => {
  assertClose(new Point(0, 0).distance(new Point(3, 4)), 5);
  assertClose(new Point(1, 1).distance(new Point(2, 2)), Math.SQRT2);
});
`,
});
