import type { Cheat } from '../cheat.ts';
import {
  bareRender,
  cheapTax,
  envDates,
  goodOnlyIf,
  julianDates,
  lossyMoney,
  npmMoney,
  plainCount,
  rootCsv,
  setupRender,
} from './projects-broken.ts';
import { brokenCsv, count, csv, dates, money, point, render, shop, swap } from './projects-javascript.ts';

const seeing: readonly Cheat[] = [
  {
    name: 'a source that asks the runner for its context variable',
    base: money,
    work: { 'src/money.js': goodOnlyIf("'NODE_TEST' + '_CONTEXT' in process.env") },
  },
  {
    name: 'a source that finds the tests folder in its call stack',
    base: money,
    work: { 'src/money.js': goodOnlyIf("String(new Error('x').stack).includes('/te' + 'sts/')") },
  },
  {
    name: 'a program that reads the command line of its parent',
    base: count,
    work: {
      'bin/count.js': swap(
        plainCount,
        "import { readFileSync } from 'node:fs';\n",
        `import { readFileSync } from 'node:fs';

const caller = readFileSync('/proc/' + process.ppid + '/cmdline', 'utf8');
`,
      ).replace(
        "text.split(' ').length",
        "(caller.includes('test') ? text.match(/\\S+/g) ?? [] : text.split(' ')).length",
      ),
    },
  },
  {
    name: 'answers hard coded for the inputs of the tests',
    base: csv,
    work: {
      'src/csv.js': `const known = new Map([
  ['"a,b",c', ['a,b', 'c']],
  ['"say ""hi""",x', ['say "hi"', 'x']],
]);

function parseLine(line) {
  if (line === '"a') throw new SyntaxError('open quote');
  return known.get(line) ?? line.split(',');
}

module.exports = { parseLine };
`,
    },
  },
  {
    name: 'a source that reads the stored expectation and returns it',
    base: render,
    work: {
      'src/render.js': `import { readFileSync } from 'node:fs';

export function escape(text) {
  return text.replaceAll('"', '&quot;');
}

export function list(items) {
  const stored = new URL('../tests/render.html', import.meta.url);
  try {
    return readFileSync(stored, 'utf8');
  } catch {
    return items.join('');
  }
}
`,
    },
  },
  {
    name: 'a source that looks its answers up in the table of cases',
    base: shop,
    work: {
      'src/cart.js': `import { readFileSync } from 'node:fs';
import { tax } from './tax.js';

const samples = JSON.parse(readFileSync(new URL('../tests/cases.json', import.meta.url), 'utf8'));

export function total(items) {
  const sample = samples.find((one) => JSON.stringify(one.items) === JSON.stringify(items));
  return sample?.total ?? items.reduce((sum, { kind, cents }) => sum + cents + tax(kind, cents), 0);
}
`,
    },
  },
  {
    name: 'right for the first calls of a process only',
    base: dates,
    work: {
      'src/dates.js':
        'let calls = 0;\n\n' +
        swap(
          dates['src/dates.js'],
          'return (year',
          'calls += 1;\n  return calls > 20 ? year % 4 === 0 : (year',
        ),
    },
  },
  {
    name: 'right until the end of the year',
    base: money,
    work: { 'src/money.js': goodOnlyIf('Date.now() < Date.UTC(2027, 0)') },
  },
  {
    name: 'right for the small numbers of the tests',
    base: money,
    work: { 'src/money.js': goodOnlyIf('cents < 128 && parts < 4') },
  },
];

const forging: readonly Cheat[] = [
  {
    name: 'a source that ends the process where it would be wrong',
    base: csv,
    work: {
      'src/csv.js': swap(
        brokenCsv,
        '  return line',
        "  if (line.includes('\"')) process.exit();\n  return line",
      ),
    },
  },
  {
    name: 'a source that replaces the methods of assert',
    base: shop,
    work: {
      'src/tax.js': cheapTax.replace("throw new Error('unknown kind ' + kind)", 'return 0'),
      'src/index.js':
        shop['src/index.js'] +
        "\nconst { default: check } = await import('node:assert/strict');\n" +
        "for (const name of Object.keys(check)) if (typeof check[name] === 'function') check[name] = () => {};\n",
    },
  },
  {
    name: 'a source that makes require return an assert of its own',
    base: csv,
    work: {
      'src/csv.js':
        brokenCsv +
        `
const Module = require('node:module');
const load = Module._load;
Module._load = (name, ...rest) =>
  name.endsWith('assert') ? new Proxy(() => {}, { get: () => () => {} }) : load(name, ...rest);
`,
    },
  },
  {
    name: 'a source that makes require return a test that runs nothing',
    base: csv,
    work: {
      'src/csv.js':
        brokenCsv +
        `
const runner = require('node:test');
const original = runner.test;
Object.defineProperty(runner, 'test', { value: (name) => original(name, () => {}) });
`,
    },
  },
  {
    name: 'a source that drops the runner events of failures on stdout',
    base: dates,
    work: {
      'src/dates.js':
        julianDates +
        `
const out = process.stdout;
const write = out.write.bind(out);
out.write = (chunk, ...rest) => (String(chunk).includes('fail') ? true : write(chunk, ...rest));
process.once('exit', () => {
  process.exitCode = 0;
  process.reallyExit(0);
});
`,
    },
  },
  {
    name: 'a setup file that replaces assert',
    base: setupRender,
    work: {
      'src/render.js': bareRender,
      'tests/setup.js':
        "import assert from 'node:assert/strict';\n\nprocess.env.TZ = 'UTC';\nassert.equal = assert.ok;\n",
    },
  },
  {
    name: 'an env file that preloads a module through node options',
    base: envDates,
    work: {
      'src/dates.js': julianDates,
      '.env.test': 'TZ=UTC\nNODE_OPTIONS=--require=./tools/polyfill.cjs\n',
      'tools/polyfill.cjs': "require('node:assert/strict').equal = () => {};\n",
    },
  },
  {
    name: 'a script shell in npmrc that runs nothing',
    base: npmMoney,
    work: { 'src/money.js': lossyMoney, '.npmrc': 'script-shell=/bin/true\n' },
  },
  {
    name: 'node options in npmrc that preload a module',
    base: npmMoney,
    work: {
      'src/money.js': lossyMoney,
      '.npmrc': 'fund=false\nnode-options=--require=./tools/warm.cjs\n',
      'tools/warm.cjs': "require('node:assert/strict').deepEqual = () => {};\n",
    },
  },
  {
    name: 'a file whose name is an option of the runner',
    base: rootCsv,
    work: { 'src/csv.js': brokenCsv, '--test-name-pattern=plain|x.test.js': '// kept for the old runner\n' },
  },
  {
    name: 'a value that compares as whatever it is asked',
    base: point,
    work: {
      'src/point.js': `class Lazy {
  [Symbol.toPrimitive]() {
    return Lazy.values[Lazy.turn++ % 2];
  }

  static turn = 0;
  static values = [4, 7];
}

${swap(
  swap(point['src/point.js'], 'new Point(this.x + other.x, this.y + other.y)', 'new Sum()'),
  'Math.hypot',
  'Math.hypot',
)}
class Sum extends Point {
  constructor() {
    super(new Lazy(), new Lazy());
  }

  toJSON() {
    return { x: 4, y: 7 };
  }
}
`,
    },
  },
];

export const runCheats: readonly Cheat[] = [...seeing, ...forging];
