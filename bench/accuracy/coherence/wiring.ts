import { capital, filesOf, type Making, probeOf, seeding } from './kit.ts';

/** A plugin file, and code that finds plugins by a pattern of their file names. */
function plugins(making: Making, suffix: string, stems: readonly string[]): [string, string][] {
  const { isPython } = making;
  return stems.map((stem): [string, string] =>
    isPython
      ? [
          `plugins/${stem}${suffix}.py`,
          `NAME = '${stem}'\n\n\ndef run():\n    return 'the plugin ${stem} runs in the shop'\n`,
        ]
      : [
          `plugins/${stem}${suffix}.ts`,
          `export const name = '${stem}';\nexport const run = (): string => 'the plugin ${stem} runs in the shop';\n`,
        ],
  );
}

const oldForm = seeding(
  { name: 'all files of a folder get another form', rule: 'K01a', oracle: 'probe' },
  (making) => {
    const { words, isPython } = making;
    const [first, second, third] = words;
    const suffix = isPython ? '_plugin' : '.plugin';
    const ending = isPython ? '.py' : '.ts';
    const all = [first, second, `${first}${second}`];
    const loader = (form: string): [string, string] => ['plugins.json', `{ "ending": "${form}" }\n`];
    const [old, fresh] = [plugins(making, '', all), plugins(making, suffix, all)];
    const a = new Map<string, string | null>([
      ...old.map(([path]) => [path, null] as const),
      ...fresh,
      loader(`${suffix}${ending}`),
    ]);
    const b = filesOf(...plugins(making, '', [third]));
    const [kept = ['', '']] = old;
    const [moved = ['', '']] = fresh;
    // The pattern in the settings must find every existing plugin.
    const probe = probeOf(
      isPython,
      "import { readdirSync, readFileSync } from 'node:fs';\nconst { ending } = JSON.parse(readFileSync('plugins.json', 'utf8'));\nfor (const name of readdirSync('plugins')) if (!name.endsWith(ending)) throw new Error(name);\n",
      "import json, os\nending = json.load(open('plugins.json'))['ending']\nassert all(n.endswith(ending) for n in os.listdir('plugins'))\n",
    );
    return {
      base: filesOf(...old, loader(ending)),
      ...{ a, b, probe, symbol: third, consumerFile: `plugins/${third}${ending}` },
      twin: { a: new Map<string, string | null>([[kept[0], null], moved]), b },
    };
  },
);

const unregistered = seeding(
  { name: 'a file that its neighbours are registered beside', rule: 'K01b', oracle: 'probe' },
  (making) => {
    const { words, isPython, file } = making;
    const [first, second, third] = words;
    const all = [first, second, `${first}${second}`];
    const command = (stem: string): [string, string] =>
      isPython
        ? [file(`commands/${stem}`), `def run():\n    return '${stem}'\n`]
        : [file(`commands/${stem}`), `export const run = (): string => '${stem}';\n`];
    const list = (stems: readonly string[]): [string, string] =>
      isPython
        ? [
            file('commands/__init__'),
            `${stems.map((each) => `from commands import ${each}\n`).join('')}\nALL = [${stems.join(', ')}]\n`,
          ]
        : [
            file('commands/index'),
            `${stems.map((each) => `import * as ${each} from './${each}.ts';\n`).join('')}\nexport const all = { ${stems.join(', ')} };\n`,
          ];
    const probe = probeOf(
      isPython,
      "import { readdirSync } from 'node:fs';\nconst { all } = await import('./commands/index.ts');\nfor (const name of readdirSync('commands'))\n  if (name !== 'index.ts' && !(name.slice(0, -3) in all)) throw new Error(name);\n",
      "import os\nfrom commands import ALL\nknown = {m.__name__.split('.')[-1] for m in ALL}\nassert all(n[:-3] in known for n in os.listdir('commands') if n.endswith('.py') and n != '__init__.py')\n",
    );
    const b = filesOf(['docs/plan.md', `# ${third}\n`]);
    return {
      base: filesOf(...all.map(command), list(all)),
      ...{
        a: filesOf(command(third)),
        b,
        probe,
        guilty: ['a'],
        symbol: third,
        consumerFile: file(`commands/${third}`),
      },
      twin: { a: filesOf(command(third), list([...all, third])), b },
    };
  },
);

const sameTest = seeding({ name: 'two tests under one name', rule: 'K02', oracle: 'pytest' }, (making) => {
  const { words, isPython } = making;
  const [first, second, third] = words;
  if (isPython) {
    const module = (folder: string, stem: string): [string, string] => [
      `checks/${folder}/test_${stem}.py`,
      `def test_${folder}_works():\n    assert '${folder}' != ''\n`,
    ];
    const a = filesOf(module(first, third));
    return {
      base: filesOf(module('plain', 'base')),
      ...{ a, b: filesOf(module(second, third)), twin: { a, b: filesOf(module(second, `${third}_more`)) } },
      probe: {
        run: 'python',
        script:
          "import sys, pytest\nsys.exit(pytest.main(['--collect-only', '-q', '-p', 'no:cacheprovider', 'checks']))\n",
      },
      ...{ symbol: `test_${third}.py`, consumerFile: `checks/${second}/test_${third}.py` },
    };
  }
  const path = `checks/${first}.test.ts`;
  const text = (heads: readonly string[], tails: readonly string[]) => {
    const one = (title: string) => `test('${title}', () => {\n  assert.ok('${title}');\n});\n`;
    const middle = Array.from({ length: 4 }, (_, n) => one(`middle ${n}`));
    return `import assert from 'node:assert';\nimport { test } from 'node:test';\n\n${[...heads.map(one), ...middle, ...tails.map(one)].join('\n')}`;
  };
  const a = filesOf([path, text([`${second} ${third}`], [])]);
  return {
    base: filesOf([path, text([], [])]),
    ...{
      a,
      b: filesOf([path, text([], [`${second} ${third}`])]),
      symbol: `${second} ${third}`,
      consumerFile: path,
    },
    twin: { a, b: filesOf([path, text([], [`${third} ${second}`])]) },
    probe: {
      run: 'node',
      script: `import { run } from 'node:test';\nconst titles = [];\nfor await (const { type, data } of run({ files: ['${path}'], isolation: 'none' })) if (type === 'test:pass' && data.nesting === 0) titles.push(data.name);\nif (titles.length === 0 || new Set(titles).size < titles.length) process.exit(1);\nprocess.exit(0);\n`,
    },
  };
});

/** A function that renders, and another one beside it. */
function renderer({ isPython, file, words }: Making, line: string, other: string): [string, string] {
  const [first, second] = words;
  return isPython
    ? [
        file('shop/render'),
        `def render_${first}(text):\n    return '${line}' + text\n\n\n#\n#\n#\n\n\ndef other_${second}(text):\n    return '${other}' + text\n`,
      ]
    : [
        file('shop/render'),
        `export function render${capital(first)}(text: string): string {\n  return '${line}' + text;\n}\n\n//\n//\n//\n\nexport function other${capital(second)}(text: string): string {\n  return '${other}' + text;\n}\n`,
      ];
}

const staleSnapshot = seeding(
  { name: 'a snapshot of code that changes', rule: 'K03', oracle: 'probe' },
  (making) => {
    const { words, isPython } = making;
    const [first] = words;
    const name = isPython ? `render_${first}` : `render${capital(first)}`;
    const test: [string, string] = isPython
      ? [
          'shop/test_render.py',
          `from shop.render import ${name}\n\n\ndef test_render(snapshot):\n    assert ${name}('a') == snapshot\n`,
        ]
      : [
          'shop/render.test.ts',
          `import { expect, test } from 'vitest';\nimport { ${name} } from './render.ts';\n\ntest('render', () => {\n  expect(${name}('a')).toMatchSnapshot();\n});\n`,
        ];
    const snapshot: [string, string] = isPython
      ? ['shop/__snapshots__/test_render.ambr', '# name: test_render\n  before a\n# ---\n']
      : ['shop/__snapshots__/render.test.ts.snap', 'exports[`render 1`] = `before a`;\n'];
    const probe = probeOf(
      isPython,
      `import { existsSync, readFileSync } from 'node:fs';\nimport { ${name} } from './shop/render.ts';\nconst path = '${snapshot[0]}';\nif (existsSync(path) && !readFileSync(path, 'utf8').includes(${name}('a'))) throw new Error('stale');\n`,
      `import os\nfrom shop.render import ${name}\npath = '${snapshot[0]}'\nassert not os.path.exists(path) or ${name}('a') in open(path).read()\n`,
    );
    const b = filesOf(test, snapshot);
    return {
      base: filesOf(renderer(making, 'before ', 'other ')),
      a: filesOf(renderer(making, 'changed ', 'other ')),
      ...{ b, probe, symbol: name, consumerFile: snapshot[0] },
      twin: { a: filesOf(renderer(making, 'before ', 'another ')), b },
    };
  },
);

const droppedTest = seeding(
  { name: 'a test goes while its code changes', rule: 'K04', oracle: 'probe' },
  (making) => {
    const { words, isPython } = making;
    const [first, second] = words;
    const [name, other] = isPython
      ? [`render_${first}`, `other_${second}`]
      : [`render${capital(first)}`, `other${capital(second)}`];
    const path = isPython ? 'shop/test_render.py' : 'shop/render.test.ts';
    const tests = (tested: readonly string[]) =>
      isPython
        ? `from shop.render import ${name}, ${other}\n\n${tested.map((each) => `\ndef test_${each}():\n    assert ${each}('a') != ''\n`).join('\n')}`
        : `import { expect, test } from 'vitest';\nimport { ${name}, ${other} } from './render.ts';\n\n${tested.map((each) => `test('${each} works', () => {\n  expect(${each}('a')).not.toBe('');\n});\n`).join('\n')}`;
    // A function that differs from base needs a test that calls it.
    const probe = probeOf(
      isPython,
      `import { readFileSync } from 'node:fs';\nimport { ${name} } from './shop/render.ts';\nconst calls = readFileSync('${path}', 'utf8').includes("${name}('a')");\nif (${name}('') !== 'before ' && !calls) throw new Error('not covered');\n`,
      `from shop.render import ${name}\nassert ${name}('') == 'before ' or "${name}('a')" in open('${path}').read()\n`,
    );
    const b = filesOf(renderer(making, 'changed ', 'other '));
    return {
      base: filesOf(renderer(making, 'before ', 'other '), [path, tests([name, other])]),
      a: filesOf([path, tests([other])]),
      ...{ b, probe, symbol: name, consumerFile: b.keys().next().value ?? '' },
      twin: { a: filesOf([path, tests([name])]), b },
    };
  },
);

export const wiring = [oldForm, unregistered, sameTest, staleSnapshot, droppedTest];
