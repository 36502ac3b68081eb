import { capital, filesOf, type Making, seeding } from './kit.ts';

/** A function that others use, and what it uses itself. */
function module(
  { isPython, file }: Making,
  folder: string,
  name: string,
  uses: readonly (readonly [folder: string, name: string])[],
  lines: readonly string[] = [],
): [string, string] {
  const sum = uses.map(([, used]) => `${used}(text) + ${used}('a')`).join(' + ') || 'text';
  if (isPython)
    return [
      file(`${folder}/${name}`),
      `${uses.map(([from, used]) => `from ${from}.${used} import ${used}\n`).join('')}\n\ndef ${name}(text):\n${lines.map((line) => `    if text == '${line}':\n        return ''\n`).join('')}    return ${sum}\n`,
    ];
  return [
    file(`${folder}/${name}`),
    `${uses.map(([from, used]) => `import { ${used} } from '../${from}/${used}.ts';\n`).join('')}\nexport function ${name}(text: string): string {\n${lines.map((line) => `  if (text === '${line}') return '';\n`).join('')}  return ${sum};\n}\n`,
  ];
}

const packages = ({ isPython }: Making, ...folders: readonly string[]): [string, string][] =>
  isPython ? folders.map((folder) => [`${folder}/__init__.py`, '\n']) : [];

const hot = seeding(
  { name: 'three branches change one function', rule: 'G01', oracle: 'built' },
  (making) => {
    const { words, isPython, file } = making;
    const [first, second] = words;
    const name = isPython ? `make_${first}` : `make${capital(first)}`;
    const path = file(`shop/${second}`);
    const text = (at: number, value: string) => {
      const parts = Array.from({ length: 3 }, (_, n) => {
        const lines = Array.from({ length: 5 }, (_none, k) => `value${n} = value${n} + ${k}`);
        const own = at === n ? [`value${n} = ${value}`] : [];
        return [`value${n} = ${n}`, ...lines, ...own];
      }).flat();
      return isPython
        ? `def ${name}():\n${parts.map((line) => `    ${line}\n`).join('')}    return value0 + value1 + value2\n`
        : `export function ${name}(): number {\n  let value0, value1, value2;\n${parts.map((line) => `  ${line};\n`).join('')}  return value0 + value1 + value2;\n}\n`;
    };
    const [a, b, c] = [0, 1, 2].map((at) => filesOf([path, text(at, `${at + 7}`)]));
    if (!a || !b || !c) return null;
    return {
      base: filesOf([path, text(-1, '')]),
      ...{ a, b, c, guilty: ['a', 'b', 'c'], symbol: name, consumerFile: path },
      twin: { a, b },
    };
  },
);

const reached = seeding({ name: 'one test depends on both', rule: 'G02', oracle: 'built' }, (making) => {
  const { words, isPython } = making;
  const [one, two, both] = words.map((word) => `use${isPython ? '_' : ''}${isPython ? word : capital(word)}`);
  if (!one || !two || !both) return null;
  const test = (of: string): [string, string] =>
    isPython
      ? [
          `checks/test_${of}.py`,
          `from shop.${of} import ${of}\n\n\ndef test_it():\n    assert ${of}('b') is not None\n`,
        ]
      : [
          `checks/${of}.test.ts`,
          `import { ${of} } from '../shop/${of}.ts';\n\nexport const check = () => ${of}('b') !== '';\n`,
        ];
  const plain = [module(making, 'store', one, []), module(making, 'cache', two, [])];
  const base = filesOf(
    ...packages(making, 'store', 'cache', 'shop'),
    ...plain,
    module(making, 'shop', both, [
      ['store', one],
      ['cache', two],
    ]),
    module(making, 'shop', `${both}Other`, []),
    test(both),
    test(`${both}Other`),
  );
  const a = filesOf(module(making, 'store', one, [], ['x']));
  return {
    ...{
      base,
      a,
      b: filesOf(module(making, 'cache', two, [], ['y'])),
      symbol: two,
      consumerFile: making.file(`cache/${two}`),
    },
    twin: { a, b: filesOf(module(making, 'shop', `${both}Other`, [], ['y'])) },
  };
});

const intruding = seeding(
  { name: 'a bridge in a part where another works', rule: 'G03', oracle: 'built' },
  (making) => {
    const { words } = making;
    const parts = words.map((word) => `part_${word}`);
    const [home = '', other = '', third = ''] = parts;
    const session = `${other}_session`;
    const names = (part: string) => Array.from({ length: 4 }, (_, n) => `${part}_f${n}`);
    const chain = (part: string, changed: readonly number[] = []) =>
      names(part).map((name, n) => {
        const next: [string, string][] = n < 3 ? [[part, `${part}_f${n + 1}`]] : [];
        // Everything in its own part depends on it, and one function of each other part.
        const bridge: [string, string][] = n === 0 || part === other ? [[other, session]] : [];
        return module(making, part, name, [...next, ...bridge], changed.includes(n) ? ['x'] : []);
      });
    const base = filesOf(
      ...packages(making, ...parts),
      ...parts.flatMap((part) => chain(part)),
      module(making, other, session, []),
    );
    const pick = (all: readonly [string, string][], ...at: readonly number[]) =>
      all.flatMap((each, n): [string, string][] => (at.includes(n) ? [each] : []));
    const own = pick(chain(home, [1, 2, 3]), 1, 2, 3);
    const b = filesOf(...pick(chain(other, [1, 2, 3]), 1, 2, 3));
    return {
      ...{ base, a: filesOf(...own, module(making, other, session, [], ['y'])), b },
      ...{ symbol: session, consumerFile: making.file(`${other}/${other}_f1`) },
      twin: { a: filesOf(...own, ...pick(chain(third, [3]), 3)), b },
    };
  },
);

export const graph = [hot, reached, intruding];
