import { fileURLToPath } from 'node:url';
import { shellWord } from '#lib/shell-word.ts';
import type { Files } from '#test/support/git-repository.ts';
import { type Template, templates } from './templates.ts';

export const runners = ['node:test', 'vitest', 'pytest'] as const;
export type Runner = (typeof runners)[number];

/** Two branches, `feature` and `change`: each is green alone. */
export interface Planted {
  readonly name: string;
  readonly runner: Runner;
  /** Together they fail because of both; otherwise they pass. */
  readonly isConflict: boolean;
  readonly base: Files;
  readonly branches: { readonly feature: Files; readonly change: Files };
}

/** Every template at every place and for every runner: 20 conflicts and 20 benign pairs each. */
export function plantedPairs(runner: Runner): Planted[] {
  return templates.flatMap((template) =>
    [true, false].flatMap((isDirect) =>
      [true, false].map((isConflict) => plant(template, runner, isDirect, isConflict)),
    ),
  );
}

/** The packages of this checkout, which include vitest. */
export const modulesFolder = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const commands: Record<Runner, string> = {
  'node:test': 'node --test',
  // Uses the Node that runs this process: the one on PATH may be too old for it.
  vitest: `${shellWord(process.execPath)} node_modules/vitest/vitest.mjs run`,
  pytest: 'python3 -m pytest -q -p no:cacheprovider',
};

function plant(template: Template, runner: Runner, isDirect: boolean, isConflict: boolean): Planted {
  const language = runner === 'pytest' ? 'py' : 'js';
  const { name, base, feature, relies } = template;
  const { module, tested } = isConflict ? template.changed : template.same;
  const from = isDirect ? 'core' : 'middle';
  const source = (file: string) => (language === 'py' ? `shop/${file}.py` : `src/${file}.js`);
  const lines = (...parts: string[]) => `${parts.join('\n')}\n`;
  const imports = (what: string, module: string) =>
    language === 'py' ? `from shop.${module} import ${what}` : `import { ${what} } from './${module}.js';`;
  const exported = language === 'py' ? imports('act', 'core') : "export { act } from './core.js';";
  const test = (file: string, title: string, call: string, value: string) =>
    testOf(runner, file, file === 'feature' ? 'feature' : 'act', title, call, value);
  const gates = { commands: [{ kind: 'test', run: commands[runner] }] };
  return {
    name: `${name}, ${isDirect ? 'directly' : 'through another module'}, ${runner}${isConflict ? '' : ', benign'}`,
    runner,
    isConflict,
    base: {
      'joinery.json': JSON.stringify({ gates, worktree: { mode: 'symlink' } }),
      ...(language === 'py'
        ? { 'shop/__init__.py': '', 'conftest.py': '' }
        : { 'package.json': '{"type":"module"}\n' }),
      ...(runner === 'vitest' ? { 'vitest.config.js': "export default { cacheDir: '.vite' };\n" } : {}),
      '.gitignore': 'node_modules\n.vite\n__pycache__\n',
      [source('core')]: lines(base[language]),
      [source('middle')]: lines(exported),
    },
    branches: {
      feature: {
        [source('feature')]: lines(imports('act', from), '', '', feature[language]),
        ...test('feature', 'the feature', relies.call[language], relies.value[language]),
      },
      change: {
        [source('core')]: lines(module[language]),
        ...test('core', 'the core', tested.call[language], tested.value[language]),
      },
    },
  };
}

function testOf(
  runner: Runner,
  file: string,
  what: string,
  title: string,
  call: string,
  value: string,
): Files {
  const head = `import { ${what} } from '../src/${file}.js';\n`;
  switch (runner) {
    case 'pytest':
      return {
        [`tests/test_${file}.py`]: `from shop.${file} import ${what}\n\n\ndef test_${title.replace(' ', '_')}():\n    assert ${call} == ${value}\n`,
      };
    case 'vitest':
      return {
        [`test/${file}.test.js`]: `import { expect, test } from 'vitest';\n${head}\ntest('${title}', () => {\n  expect(${call}).toEqual(${value});\n});\n`,
      };
    case 'node:test':
      return {
        [`test/${file}.test.js`]: `import test from 'node:test';\nimport { deepEqual } from 'node:assert/strict';\n${head}\ntest('${title}', () => {\n  deepEqual(${call}, ${value});\n});\n`,
      };
  }
}
