import { capital, filesOf, inTurn, probeOf, seeding } from './kit.ts';

const manifest = (name: string, dependencies: Readonly<Record<string, string>>, more: object = {}) =>
  `${JSON.stringify({ name, version: '1.0.0', dependencies, ...more }, null, 2)}\n`;

/** npm's own resolver, on the registry of the bench. */
const npmTree = `import { createRequire } from 'node:module';
const Arborist = createRequire(process.env.NPM)('@npmcli/arborist');
const options = { path: process.cwd(), registry: process.env.REGISTRY, cache: process.cwd() + '/.cache', audit: false };
const tree = await new Arborist(options).buildIdealTree();
`;

/** resolvelib with complete local metadata: every package has the versions 1 to 4. */
const resolve = `from packaging.requirements import Requirement
from packaging.version import Version
from resolvelib import AbstractProvider, BaseReporter, Resolver


class Provider(AbstractProvider):
    def identify(self, requirement_or_candidate):
        thing = requirement_or_candidate
        return thing.name if isinstance(thing, Requirement) else thing[0]

    def get_preference(self, identifier, *args, **kwargs):
        return identifier

    def find_matches(self, identifier, requirements, incompatibilities):
        wanted = list(requirements[identifier])
        all_ = [(identifier, Version('%d.0' % n)) for n in (4, 3, 2, 1)]
        return [c for c in all_ if all(c[1] in r.specifier for r in wanted)]

    def is_satisfied_by(self, requirement, candidate):
        return candidate[1] in requirement.specifier

    def get_dependencies(self, candidate):
        return []


def resolved(*paths):
    import os
    lines = [l.strip() for p in paths if os.path.exists(p) for l in open(p)]
    wanted = [Requirement(l) for l in lines if l]
    return Resolver(Provider(), BaseReporter()).resolve(wanted).mapping
`;

const versions = seeding(
  { name: 'ranges that no version satisfies', rule: 'M04', oracle: 'npm' },
  (making) => {
    const { words, isPython } = making;
    const [first, second, third] = words;
    const name = `${first}-${second}`;
    if (isPython) {
      const list = (path: string, line: string): [string, string] => [path, `plain==1.0\n${line}\n`];
      const a = filesOf(list('requirements.txt', `${name}==1.0`));
      return {
        base: filesOf(['requirements.txt', 'plain==1.0\n'], ['requirements-dev.txt', 'plain==1.0\n']),
        ...{ a, b: filesOf(list('requirements-dev.txt', `${name}==2.0`)) },
        twin: { a, b: filesOf(list('requirements-dev.txt', `${name}>=1.0`)) },
        probe: {
          run: 'python',
          script: `${resolve}\nresolved('requirements.txt', 'requirements-dev.txt')\n`,
        },
        ...{ symbol: name, consumerFile: 'requirements-dev.txt' },
      };
    }
    const part = (path: string, dependencies: Readonly<Record<string, string>>): [string, string] => [
      `packages/${path}/package.json`,
      manifest(path, dependencies),
    ];
    const a = filesOf(part('one', { [name]: '^1.0.0' }));
    const b = (range: string) => filesOf(part('two', { [name]: range }));
    return {
      base: filesOf(part('one', {}), part('two', {}), [
        'package.json',
        manifest(third, {}, { private: true, workspaces: ['packages/*'] }),
      ]),
      ...{
        a,
        b: b('^2.0.0'),
        twin: { a, b: b('^1.5.0') },
        symbol: name,
        consumerFile: 'packages/two/package.json',
      },
      probe: {
        run: 'node',
        // One version for both that satisfies both requirements.
        script: `${npmTree}const nodes = [...tree.inventory.values()];\nconst found = nodes.filter((node) => node.packageName === '${name}');\nconst unmet = nodes.flatMap((node) => [...node.edgesOut.values()]).filter((edge) => edge.error !== null);\nif (found.length > 1 || unmet.length > 0) throw new Error('no version for both');\n`,
      },
    };
  },
);

/** What a lock file of uv or poetry must contain: read by Python's TOML parser. */
const pythonLock = `import re, tomllib
wanted = tomllib.load(open('pyproject.toml', 'rb'))['project']['dependencies']
held = {each['name'] for each in tomllib.load(open('uv.lock', 'rb'))['package']}
assert all(re.match(r'[\\w-]+', each)[0] in held for each in wanted)
`;

function pythonLocked(asked: readonly string[], brought: readonly string[]) {
  const list = asked.toSorted().map((name) => `    "${name}>=1.0",\n`);
  const held = [...asked, ...brought]
    .toSorted()
    .map((name) => `[[package]]\nname = "${name}"\nversion = "1.5.0"\n`);
  return filesOf(
    ['pyproject.toml', `[project]\nname = "shop"\nversion = "1.0.0"\ndependencies = [\n${list.join('')}]\n`],
    ['uv.lock', `version = 1\n\n${held.join('\n')}`],
  );
}

const lock = seeding(
  { name: 'a package stays asked for and leaves the lock file', rule: 'M05', oracle: 'npm' },
  ({ words, isPython }) => {
    const [first, second, third] = words;
    const filler = ['delta-kit', 'golf-kit', 'kilo-kit', 'omega-kit', 'papa-kit', 'romeo-kit'];
    const [wanted, bringing, other] = [`aa-${first}`, `zz-${second}`, `zy-${third}`];
    if (isPython) {
      const all = (...asked: readonly string[]) => [...filler, ...asked];
      const a = pythonLocked(all(bringing, other, wanted), []);
      return {
        base: pythonLocked(all(bringing, other), [wanted]),
        ...{ a, b: pythonLocked(all(other), []), twin: { a, b: pythonLocked(all(bringing), [wanted]) } },
        ...{ symbol: 'uv.lock', consumerFile: 'uv.lock', probe: { run: 'python', script: pythonLock } },
      };
    }
    const ranges = (all: readonly string[]) =>
      Object.fromEntries(all.toSorted().map((name) => [name, '^1.0.0']));
    /** Requested by the project, and brought along by others. */
    const state = (asked: readonly string[], brought: readonly string[]) =>
      filesOf(
        ['package.json', manifest('shop', ranges([...filler, ...asked]))],
        [
          'package-lock.json',
          `${JSON.stringify(
            {
              ...{ name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true },
              packages: {
                '': { name: 'shop', version: '1.0.0', dependencies: ranges([...filler, ...asked]) },
                ...Object.fromEntries(
                  [...filler, ...asked, ...brought]
                    .toSorted()
                    .map((name) => [`node_modules/${name}`, { version: '1.5.0' }]),
                ),
              },
            },
            null,
            2,
          )}\n`,
        ],
      );
    const a = state([bringing, other, wanted], []);
    return {
      base: state([bringing, other], [wanted]),
      ...{ a, b: state([other], []), twin: { a, b: state([bringing], [wanted]) } },
      ...{ symbol: 'package-lock.json', consumerFile: 'package-lock.json' },
      probe: {
        run: 'node',
        // As npm ci does: the lock file, read by npm, must contain what the manifest asks for.
        script: `import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
const Arborist = createRequire(process.env.NPM)('@npmcli/arborist');
const tree = await new Arborist({ path: process.cwd() }).loadVirtual();
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of Object.keys(dependencies)) if (!tree.children.has(name)) throw new Error(name);
`,
      },
    };
  },
);

const removed = seeding({ name: 'a package goes and is imported', rule: 'M06', oracle: 'npm' }, (making) => {
  const { words, isPython, file } = making;
  const [first, second, third] = words;
  const [gone, kept] = isPython
    ? [`${first}_${second}`, `${first}_${third}`]
    : [`${first}-${second}`, `${first}-${third}`];
  const path = isPython ? 'requirements.txt' : 'package.json';
  const list = (names: readonly string[]): [string, string] => [
    path,
    isPython
      ? names.map((name) => `${name}>=1.0\n`).join('')
      : manifest('shop', Object.fromEntries(names.map((name) => [name, '^1.0.0']))),
  ];
  const user = (name: string): [string, string] => [
    file(`shop/${third}_added`),
    isPython
      ? `import ${name}\n\nuse = ${name}.open\n`
      : `import { open } from '${name}';\n\nexport const use = open;\n`,
  ];
  const probe = probeOf(
    isPython,
    `${npmTree}import { existsSync, readFileSync } from 'node:fs';\nconst path = '${file(`shop/${third}_added`)}';\nif (existsSync(path)) {\n  const [, name] = /from '([^']+)'/.exec(readFileSync(path, 'utf8'));\n  if (!tree.children.has(name)) throw new Error(name);\n}\n`,
    `${resolve}\nimport os, re\npath = '${file(`shop/${third}_added`)}'\nif os.path.exists(path):\n    name = re.search(r'import (\\w+)', open(path).read())[1]\n    assert name in {str(k).replace('-', '_') for k in resolved('requirements.txt')}\n`,
  );
  const a = filesOf(list([kept]));
  return {
    base: filesOf(list([gone, kept])),
    ...{ a, b: filesOf(user(gone)), twin: { a, b: filesOf(user(kept)) } },
    ...{ probe, symbol: gone, consumerFile: file(`shop/${third}_added`) },
  };
});

const undeclared = seeding(
  { name: 'an environment variable is renamed', rule: 'M07', oracle: 'probe' },
  (making) => {
    const { words, isPython, file } = making;
    const [first, second, third] = words.map((word) => word.toUpperCase());
    const [old, fresh, other] = [`${first}_${second}_URL`, `${first}_${third}_URL`, `${second}_${third}_KEY`];
    const declared = (names: readonly string[]): [string, string] => [
      '.env.example',
      names.map((name) => `${name}=1\n`).join(''),
    ];
    const reader = (name: string): [string, string] => [
      file('shop/added'),
      isPython
        ? `import os\n\nvalue = os.environ['${name}']\n`
        : `export const value = process.env.${name};\n`,
    ];
    const probe = probeOf(
      isPython,
      "import { existsSync } from 'node:fs';\nprocess.loadEnvFile('.env.example');\nif (existsSync('shop/added.ts') && (await import('./shop/added.ts')).value === undefined) throw new Error('not declared');\n",
      "import os\nos.environ.update(l.strip().split('=', 1) for l in open('.env.example') if '=' in l)\nif os.path.exists('shop/added.py'):\n    import shop.added\n",
    );
    const a = filesOf(declared([fresh, other]));
    return {
      base: filesOf(declared([old, other])),
      ...{ a, b: filesOf(reader(old)), twin: { a, b: filesOf(reader(other)) } },
      ...{ probe, symbol: old, consumerFile: file('shop/added') },
    };
  },
);

const lostKey = seeding(
  { name: 'a key of the settings is renamed', rule: 'M08', oracle: 'probe' },
  (making) => {
    const { words, isPython, file } = making;
    const [first, second, third] = words;
    const settings = (key: string): [string, string] => [
      'settings/app.json',
      `${JSON.stringify({ [first]: { [key]: 60, kept: 1 }, other: { name: 'shop' } }, null, 2)}\n`,
    ];
    const reader = (key: string): [string, string] => [
      file('shop/added'),
      isPython
        ? `import json\n\nconfig = json.load(open('settings/app.json'))\nvalue = config['${first}']['${key}']\n`
        : `import { readFileSync } from 'node:fs';\n\nconst config = JSON.parse(readFileSync('settings/app.json', 'utf8'));\nexport const value = config.${first}.${key};\n`,
    ];
    const probe = probeOf(
      isPython,
      "import { existsSync } from 'node:fs';\nif (existsSync('shop/added.ts') && (await import('./shop/added.ts')).value === undefined) throw new Error('no such key');\n",
      "import os\nif os.path.exists('shop/added.py'):\n    import shop.added\n",
    );
    const a = filesOf(settings(`${second}${capital(third)}`));
    return {
      base: filesOf(settings(second)),
      ...{ a, b: filesOf(reader(second)), twin: { a, b: filesOf(reader('kept')) } },
      ...{ probe, symbol: second, consumerFile: file('shop/added') },
    };
  },
);

const stricter = seeding(
  { name: 'the compiler becomes stricter', rule: 'M09', oracle: 'probe' },
  ({ words, isPython, n }) => {
    const [first, second] = words;
    if (isPython) {
      const option = (on: boolean): [string, string] => [
        'mypy.ini',
        `[mypy]\n${on ? 'disallow_untyped_defs = true\n' : ''}files = .\n`,
      ];
      const added = (text: string): [string, string] => [`shop/${first}.py`, text];
      const a = filesOf(option(true));
      // What the option demands, read from the syntax tree by Python itself.
      const script = `import ast, os\nif 'disallow_untyped_defs' in open('mypy.ini').read() and os.path.exists('shop/${first}.py'):\n    for node in ast.walk(ast.parse(open('shop/${first}.py').read())):\n        assert not isinstance(node, ast.FunctionDef) or (node.returns and all(a.annotation for a in node.args.args))\n`;
      return {
        base: filesOf(option(false)),
        ...{ a, b: filesOf(added(`def ${second}_of(value):\n    return value\n`)) },
        twin: { a, b: filesOf(added(`def ${second}_of(value: int) -> int:\n    return value\n`)) },
        ...{ probe: { run: 'python', script }, symbol: 'untyped defs', consumerFile: `shop/${first}.py` },
      };
    }
    const options = inTurn(['noImplicitAny', 'noUncheckedIndexedAccess', 'erasableSyntaxOnly'], n);
    const [bad, good] = {
      noImplicitAny: [
        `export function ${second}Of(value) {\n  return value;\n}\n`,
        `export function ${second}Of(value: number): number {\n  return value;\n}\n`,
      ],
      noUncheckedIndexedAccess: [
        `export function ${second}Of(list: string[], at: number): string {\n  const found: string = list[at];\n  return found;\n}\n`,
        `export function ${second}Of(list: string[], at: number): string {\n  const found: string = list[at] ?? '';\n  return found;\n}\n`,
      ],
      erasableSyntaxOnly: [
        `export enum ${capital(second)} {\n  One,\n  Two,\n}\n`,
        `export const ${second} = { one: 0, two: 1 } as const;\n`,
      ],
    }[options] as [string, string];
    const config = (on: boolean): [string, string] => [
      'tsconfig.json',
      `${JSON.stringify({ compilerOptions: { noEmit: true, module: 'esnext', types: [], strict: false, strictNullChecks: true, ...(on ? { [options]: true } : {}) }, include: ['shop'] }, null, 2)}\n`,
    ];
    const a = filesOf(config(true));
    const base: [string, string] = ['shop/base.ts', 'export const base = 1;\n'];
    return {
      base: filesOf(base, config(false)),
      ...{ a, b: filesOf([`shop/${first}.ts`, bad]), twin: { a, b: filesOf([`shop/${first}.ts`, good]) } },
      probe: {
        run: 'node',
        script:
          "import { spawnSync } from 'node:child_process';\nprocess.exit(spawnSync(process.execPath, [process.env.TSC, '-p', '.']).status ?? 1);\n",
      },
      ...{ symbol: options, consumerFile: `shop/${first}.ts` },
    };
  },
);

const resources = seeding(
  { name: 'one port for two services', rule: 'M10', oracle: 'probe' },
  ({ words, n, isPython }) => {
    const [first, second, third] = words;
    const service = (name: string, port: number, isNamed: string) =>
      `  ${name}:\n    image: ${name}\n${isNamed === '' ? `    ports:\n      - "${port}:80"\n` : `    container_name: ${isNamed}\n`}`;
    const byName = n % 2 === 1;
    const [port, taken] = [8000 + n, byName ? `${third}-box` : ''];
    const text = (heads: readonly string[], tails: readonly string[]) =>
      `services:\n${[...heads, ...Array.from({ length: 4 }, (_, at) => service(`plain${at}`, 7000 + at, '')), ...tails].join('')}`;
    const probe = probeOf(
      isPython,
      `import { readFileSync } from 'node:fs';\nconst found = readFileSync('compose.yaml', 'utf8').match(/container_name: \\S+|"\\d+:/g);\nif (new Set(found).size < found.length) throw new Error('twice');\n`,
      `import re\nfound = re.findall(r'container_name: \\S+|"\\d+:', open('compose.yaml').read())\nassert len(set(found)) == len(found)\n`,
    );
    const a = filesOf(['compose.yaml', text([service(first, port, taken)], [])]);
    const b = (other: string) => filesOf(['compose.yaml', text([], [other])]);
    return {
      base: filesOf(['compose.yaml', text([], [])]),
      ...{
        a,
        b: b(service(second, port, taken)),
        probe,
        symbol: byName ? taken : String(port),
        consumerFile: 'compose.yaml',
      },
      twin: { a, b: b(service(second, port + 100, byName ? `${taken}-two` : '')) },
    };
  },
);

export const settings = [versions, lock, removed, undeclared, lostKey, stricter, resources];
