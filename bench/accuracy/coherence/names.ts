import { filesOf, inTurn, type Making, probeOf, seeding, spaced } from './kit.ts';

/** A name from a table, in a usual form: an event, a feature flag, a key of a text. */
const forms = [
  (a: string, b: string) => `${a}-${b}`,
  (a: string, b: string) => `${a}.${b}`,
  (a: string, b: string) => `${a}-${b}-done`,
];

/** A table of names and a function that refuses others. */
function table({ isPython, file }: Making, names: readonly string[]): [string, string] {
  return isPython
    ? [
        file('shop/known'),
        `KNOWN = [\n${names.map((name) => `    '${name}',\n`).join('')}]\n\n\ndef send(name):\n    if name not in KNOWN:\n        raise KeyError(name)\n    return name\n`,
      ]
    : [
        file('shop/known'),
        `const known = [\n${names.map((name) => `  '${name}',\n`).join('')}];\n\nexport function send(name: string): string {\n  if (!known.includes(name)) throw new Error(name);\n  return name;\n}\n`,
      ];
}

function sender({ isPython, file }: Making, stem: string, name: string): [string, string] {
  return isPython
    ? [file(`shop/${stem}`), `from shop.known import send\n\n\ndef notify():\n    return send('${name}')\n`]
    : [
        file(`shop/${stem}`),
        `import { send } from './known.ts';\n\nexport function notify(): string {\n  return send('${name}');\n}\n`,
      ];
}

const runAll = (isPython: boolean, folder: string, call: string) =>
  probeOf(
    isPython,
    `import { readdirSync } from 'node:fs';\nfor (const name of readdirSync('${folder}')) {\n  const module = await import('./${folder}/' + name);\n  module.${call}?.();\n}\n`,
    `import importlib, os\nfor name in sorted(os.listdir('${folder}')):\n    if name.endswith('.py') and name != '__init__.py':\n        module = importlib.import_module('${folder}.' + name[:-3])\n        getattr(module, '${call}', lambda: None)()\n`,
  );

const extinct = seeding({ name: 'rename a name in all files', rule: 'N01', oracle: 'probe' }, (making) => {
  const { words, n, isPython, file } = making;
  const [first, second, third] = words;
  const form = inTurn(forms, n);
  const [old, fresh, other] = [form(first, second), form(first, third), form(second, third)];
  const base = filesOf(table(making, [old, other]), sender(making, 'first', old));
  const a = filesOf(table(making, [fresh, other]), sender(making, 'first', fresh));
  const b = filesOf(sender(making, `added_${third}`, old));
  const probe = runAll(isPython, 'shop', 'notify');
  return {
    ...{ base, a, b, probe, symbol: old, consumerFile: file(`shop/added_${third}`) },
    twin: { a, b: filesOf(sender(making, `added_${third}`, other)) },
  };
});

const sameCode = seeding({ name: 'the same error code twice', rule: 'N02', oracle: 'probe' }, (making) => {
  const { words, n, isPython, file } = making;
  const [first, second] = words;
  const code = (number: number) => `E${1000 + number}`;
  const thrower = (stem: string, number: number): [string, string] =>
    isPython
      ? [file(`faults/${stem}`), `class Fault(Exception):\n    code = '${code(number)}'\n`]
      : [
          file(`faults/${stem}`),
          `export class Fault extends Error {\n  readonly code = '${code(number)}';\n}\n`,
        ];
  const probe = probeOf(
    isPython,
    `import { readdirSync } from 'node:fs';\nconst codes = [];\nfor (const name of readdirSync('faults')) codes.push(new (await import('./faults/' + name)).Fault('').code);\nif (new Set(codes).size < codes.length) throw new Error('twice');\n`,
    `import importlib, os\ncodes = [importlib.import_module('faults.' + n[:-3]).Fault.code for n in sorted(os.listdir('faults')) if n.endswith('.py')]\nassert len(set(codes)) == len(codes)\n`,
  );
  const a = filesOf(thrower(`a_${first}`, n + 1));
  return {
    ...{ base: filesOf(thrower('base', 0)), a, probe, symbol: code(n + 1) },
    b: filesOf(thrower(`b_${second}`, n + 1)),
    twin: { a, b: filesOf(thrower(`b_${second}`, n + 200)) },
    consumerFile: file(`faults/b_${second}`),
  };
});

const sameFlag = seeding(
  { name: 'the same command-line flag twice', rule: 'N02', oracle: 'probe' },
  (making) => {
    const { words, isPython, file } = making;
    const [first, second] = words;
    const path = file('tools/options');
    const text = (heads: readonly string[], tails: readonly string[]) => {
      const line = (flag: string, help: string) =>
        isPython
          ? `    parser.add_argument('--${flag}', help='${help}')`
          : `  command.option('--${flag}', '${help}');`;
      const body = spaced(
        ['begin', ...heads].map((flag) => line(flag, `first ${flag}`)).join('\n'),
        ['finish', ...tails].map((flag) => line(flag, `last ${flag}`)).join('\n'),
        isPython ? '    #' : '  //',
      );
      return isPython
        ? `def declare(parser):\n${body}`
        : `export function declare(command: { option(flag: string, help: string): void }): void {\n${body}}\n`;
    };
    const probe = probeOf(
      isPython,
      "import { declare } from './tools/options.ts';\nconst seen = new Set();\ndeclare({ option(flag) {\n  if (seen.has(flag)) throw new Error(flag);\n  seen.add(flag);\n} });\n",
      'import argparse\nfrom tools.options import declare\ndeclare(argparse.ArgumentParser())\n',
    );
    const a = filesOf([path, text([`${first}-${second}`], [])]);
    return {
      ...{
        base: filesOf([path, text([], [])]),
        a,
        probe,
        symbol: `--${first}-${second}`,
        consumerFile: path,
      },
      b: filesOf([path, text([], [`${first}-${second}`])]),
      twin: { a, b: filesOf([path, text([], [`${second}-${first}`])]) },
    };
  },
);

export const names = [extinct, sameCode, sameFlag];
