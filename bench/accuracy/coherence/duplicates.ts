import type { RealFunction } from './ground.ts';
import { capital, filesOf, inTurn, type Making, probeOf, seeding } from './kit.ts';

/** True if the name is not in a string and not a keyword argument: otherwise renaming it would change the function. */
function isOnlyName(text: string): (name: string) => boolean {
  const [, body = ''] = text.split(/\n(.*)/s);
  const texts = text.replace(/\$\{[^}]*\}/g, '').match(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`/g) ?? [];
  return (name) =>
    !texts.some((each) => new RegExp(`\\b${name}\\b`).test(each)) &&
    !new RegExp(`\\b${name}=(?!=)`).test(body);
}

/** The function with another name and other parameter names. */
function renamed({ text, name, parameters }: RealFunction, to: string, suffix = ''): string {
  const all = [
    [name, to],
    ...(suffix === '' ? [] : parameters.filter(isOnlyName(text)).map((each) => [each, `${each}${suffix}`])),
  ];
  return all.reduce(
    (changed, [from = '', into = '']) =>
      /^\w*[a-zA-Z]\w*$/.test(from) && from !== 'self'
        ? changed.replace(new RegExp(`(?<![.\\w$])${from}(?![\\w$])`, 'g'), into)
        : changed,
    text,
  );
}

const exported = (isPython: boolean, text: string) => (isPython ? `${text}\n` : `export ${text}\n`);

/** Two functions of the project with different lines. */
function twoUnlike({ ground, random }: Making, fits: (each: RealFunction) => boolean) {
  const [one, ...others] = random.shuffled(ground.functions.filter(fits));
  const lines = new Set(one?.text.split('\n').map((line) => line.trim()));
  const other = others.find((each) => {
    const own = each.text.split('\n').map((line) => line.trim());
    return own.filter((line) => line.length > 3 && lines.has(line)).length < own.length / 5;
  });
  return one && other ? ([one, other] as const) : null;
}

const copied = seeding(
  { name: 'the same function under two names', rule: 'D01', oracle: 'built' },
  (making) => {
    const { words, isPython, file } = making;
    const pair = twoUnlike(making, ({ text }) => text.length > 200);
    if (!pair) return null;
    const [first, second] = words;
    const [one, other] = pair;
    const a = filesOf([file(`tools/${first}`), exported(isPython, renamed(one, `${first}_one`))]);
    const b = (text: string) => filesOf([file(`services/${second}`), exported(isPython, text)]);
    return {
      ...{ a, b: b(renamed(one, `${second}_two`, '_given')), symbol: `${second}_two` },
      twin: { a, b: b(renamed(other, `${second}_two`)) },
      consumerFile: file(`services/${second}`),
    };
  },
);

const nearlyCopied = seeding(
  { name: 'the same function with one more line', rule: 'D02', oracle: 'built' },
  (making) => {
    const { words, isPython, file } = making;
    const pair = twoUnlike(making, ({ text }) => text.length > 600);
    if (!pair) return null;
    const [first, second] = words;
    const [one, other] = pair;
    const a = filesOf([file(`tools/${first}`), exported(isPython, renamed(one, `${first}_one`))]);
    const b = (text: string) => filesOf([file(`services/${second}`), exported(isPython, text)]);
    const copy = renamed(one, `${second}_two`, '_given').split('\n');
    const last = copy.length - 1;
    const indent = /^\s*/.exec(copy[last - 1] ?? '')?.[0] ?? '';
    const changed = isPython
      ? [...copy, `    print('${second} is done')`]
      : [...copy.slice(0, last), `  console.debug('${second} is done');`, ...copy.slice(last)];
    if (indent.length > 8) return null;
    return {
      ...{ a, b: b(changed.join('\n')), symbol: `${second}_two` },
      twin: { a, b: b(renamed(other, `${second}_two`)) },
      consumerFile: file(`services/${second}`),
    };
  },
);

const sameName = seeding({ name: 'two functions of one name', rule: 'D03', oracle: 'built' }, (making) => {
  const { ground, words, isPython, file } = making;
  const arity = ground.functions.filter(({ parameters }) => parameters.length === 2).length > 4 ? 2 : 1;
  const pair = twoUnlike(making, ({ parameters, text }) => parameters.length === arity && text.length > 200);
  if (!pair) return null;
  const [first, second] = words;
  const [one, other] = pair;
  const name = isPython ? `joined_${first}_${second}` : `joined${capital(first)}${capital(second)}`;
  const a = filesOf([file(`tools/${first}`), exported(isPython, renamed(one, name))]);
  const b = (to: string) => filesOf([file(`services/${second}`), exported(isPython, renamed(other, to))]);
  return {
    ...{ a, b: b(name), symbol: name, twin: { a, b: b(`${name}_too`) } },
    consumerFile: file(`services/${second}`),
  };
});

const extracted = seeding(
  { name: 'a copy of code that is taken out', rule: 'D04', oracle: 'built' },
  (making) => {
    const { words, isPython, file } = making;
    const pair = twoUnlike(making, ({ text }) => text.length > 350 && text.split('\n').length >= 10);
    if (!pair) return null;
    const [first, second] = words;
    const [one, other] = pair;
    const [home, added] = [file(`services/${first}`), file(`services/added_${second}`)];
    const shared = `shared_${first}`;
    const call = isPython
      ? `from tools.shared import ${shared}\n\n\ndef open_${first}(value):\n    return ${shared}(value)\n`
      : `import { ${shared} } from '../tools/shared.ts';\n\nexport function open_${first}(value: unknown) {\n  return ${shared}(value);\n}\n`;
    const a = filesOf([home, call], [file('tools/shared'), exported(isPython, renamed(one, shared))]);
    const b = (text: string) => filesOf([added, exported(isPython, text)]);
    return {
      base: filesOf([home, exported(isPython, renamed(one, `open_${first}`))]),
      ...{ a, b: b(renamed(one, `sign_${second}`)), symbol: shared, consumerFile: added },
      twin: { a, b: b(renamed(other, `sign_${second}`)) },
    };
  },
);

// D01 correctly reports about its twin that both add the same function.
const doubled = {
  name: 'two names for one thing',
  rule: 'D05',
  oracle: 'built',
  companions: ['D01'],
} as const;
const twoNames = seeding(doubled, (making) => {
  const { words, n, isPython, file } = making;
  const [first, second, third] = words;
  const variable = `${first}_${second}_URL`.toUpperCase();
  const camel = (a: string, b: string) => `${a}${capital(b)}`;
  const forms = isPython
    ? [
        (name: string) => `import os\n\n${name} = os.environ['${variable}']\n`,
        (name: string) =>
          `def take(payload):\n    ${name} = payload['${first}']['${second}']\n    return ${name}\n`,
        (name: string) => `class Row(Base):\n    ${name} = Column('${first}_${second}', Integer)\n`,
      ]
    : [
        (name: string) => `export const ${name} = process.env.${variable};\n`,
        (name: string) =>
          `export function take(payload: { ${first}: { ${second}: string } }): string {\n  const ${name} = payload.${first}.${second};\n  return ${name};\n}\n`,
        (name: string) => `export const row = {\n  ${name}: text('${first}_${second}'),\n};\n`,
      ];
  const form = inTurn(forms, n);
  const [one, two] = isPython
    ? [`${first}_${third}`, `${second}_${third}`]
    : [camel(first, third), camel(second, third)];
  const a = filesOf([file(`tools/${first}`), form(one)]);
  const b = (name: string) => filesOf([file(`services/${second}`), form(name)]);
  return { a, b: b(two), symbol: two, consumerFile: file(`services/${second}`), twin: { a, b: b(one) } };
});

const twoValues = seeding({ name: 'two values for one limit', rule: 'D06', oracle: 'probe' }, (making) => {
  const { words, n, isPython, file } = making;
  const [first, second] = words;
  const name = `MAX_${first}_${second}`.toUpperCase();
  const unit = inTurn(['', '_BYTES'], n);
  const line = (as: string, value: number) =>
    isPython ? `${as} = ${value}\n` : `export const ${as} = ${value};\n`;
  const a = filesOf([file('tools/limit'), line(name, 1000 + n)]);
  const b = (value: number) => filesOf([file('services/limit'), line(`${name}${unit}`, value)]);
  const probe = probeOf(
    isPython,
    "import { existsSync } from 'node:fs';\nconst values = [];\nfor (const path of ['./tools/limit.ts', './services/limit.ts'])\n  if (existsSync(path)) values.push(...Object.values(await import(path)));\nif (new Set(values).size > 1) throw new Error('two values');\n",
    "import importlib.util, os\nvalues = set()\nfor path in ('tools/limit.py', 'services/limit.py'):\n    if os.path.exists(path):\n        scope = {}\n        exec(open(path).read(), scope)\n        values |= {v for k, v in scope.items() if k.startswith('MAX_')}\nassert len(values) <= 1\n",
  );
  return {
    ...{ a, b: b(5000 + n), probe, symbol: name, consumerFile: file('services/limit') },
    twin: { a, b: b(1000 + n) },
  };
});

const builtTwice = seeding({ name: 'one feature in two places', rule: 'D07', oracle: 'built' }, (making) => {
  const { ground, random, words, isPython, file } = making;
  const [first, second, third] = words;
  const [one, other] = random.shuffled(ground.functions);
  if (!one || !other) return null;
  const parts = (a: string, b: string) =>
    `${exported(isPython, renamed(one, a))}\n\n${exported(isPython, renamed(other, b))}`;
  const [open, close] = [`open_${first}_${second}`, `close_${first}_${second}`];
  const stem = isPython ? `${first}_${second}` : `${first}-${second}`;
  const a = filesOf([file(`tools/${stem}`), parts(open, close)]);
  const b = (text: string) => filesOf([file(`services/${stem}`), text]);
  const plain = (a1: string, b1: string) =>
    isPython
      ? `def ${a1}(value):\n    return [value]\n\n\ndef ${b1}(value):\n    return {'at': value}\n`
      : `export function ${a1}(value: string): string[] {\n  return [value];\n}\n\nexport function ${b1}(value: string): { at: string } {\n  return { at: value };\n}\n`;
  return {
    ...{ a, b: b(plain(open, close)), symbol: stem, consumerFile: file(`services/${stem}`) },
    twin: { a, b: b(plain(`read_${third}`, `write_${third}`)) },
  };
});

export const duplicates = [copied, nearlyCopied, sameName, extracted, twoNames, twoValues, builtTwice];
