import {
  count,
  csv,
  dates,
  guide,
  lru,
  money,
  point,
  render,
  retry,
  shop,
  store,
  swap,
} from './projects-javascript.ts';

/** Loses the remainder of a division. */
export const lossyMoney = swap(money['src/money.js'], 'share + (index < rest ? 1 : 0)', 'share');
/** Every fourth year is a leap year. */
export const julianDates = swap(
  dates['src/dates.js'],
  '(year % 4 === 0 && year % 100 !== 0) || year % 400 === 0',
  'year % 4 === 0',
);
/** Escapes nothing. */
export const bareRender = swap(
  render['src/render.js'],
  'return text.replace(/[&<>"]/g, (char) => escapes[char]);',
  'return text;',
);
/** Overwrites instead of merging. */
export const forgetfulStore = swap(store['src/store.js'], '{ ...load(file), ...values }', 'values');
/** Runs everything at once. */
export const greedyPool = swap(
  retry['src/retry.js'],
  'Array.from({ length: limit }, worker)',
  'items.map(worker)',
);
/** Rounds down. */
export const cheapTax = swap(
  shop['src/tax.js'],
  'Math.round((cents * rate) / 100)',
  'Math.floor((cents * rate) / 100)',
);
export const plainCount = swap(
  count['bin/count.js'],
  '(text.match(/[^ \\t\\n]+/g) ?? []).length',
  "text.split(' ').length",
);
export const manhattan = swap(
  point['src/point.js'],
  'Math.hypot(this.x - other.x, this.y - other.y)',
  'Math.abs(this.x - other.x) + Math.abs(this.y - other.y)',
);
/** Reading does not refresh an entry. */
export const fifo = swap(
  lru['src/lru.js'],
  `    const value = this.#entries.get(key);
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
`,
  '    return this.#entries.get(key);\n',
);

export function goodOnlyIf(condition: string): string {
  return swap(money['src/money.js'], '(index < rest ? 1 : 0)', `(index < rest && (${condition}) ? 1 : 0)`);
}

export const npmMoney = {
  ...money,
  'AGENTS.md': guide('npm test --silent'),
  'package.json': swap(
    money['package.json'],
    '"type"',
    '"scripts": { "test": "node --test tests/*.test.js" },\n  "type"',
  ),
};

export const rootCsv = {
  ...csv,
  'AGENTS.md': guide('node --test *.test.js'),
  'tests/csv.test.js': null,
  'csv.test.js': swap(csv['tests/csv.test.js'], '../src/csv', './src/csv'),
};

export const setupRender = {
  ...render,
  'AGENTS.md': guide('node --import ./tests/setup.js --test tests/*.test.js'),
  'tests/setup.js': "process.env.TZ = 'UTC';\n",
};

export const envDates = {
  ...dates,
  'AGENTS.md': guide('node --env-file=.env.test --test tests/*.test.js'),
  '.env.test': 'TZ=UTC\n',
};
