import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { HostileRepository } from './hostile-repository.ts';
import { add, addEntries, blob, escapes, everywhere } from './kit.ts';

const names: readonly HostileRepository[] = [
  {
    name: 'file names of escapes and line ends and bytes that are no text',
    build(repository) {
      const id = blob(repository, 'export const x = 1;\n');
      const list = [
        `${escapes}.ts`,
        'z\nb.ts',
        'z\r\u001b[1A.py',
        'z\u009b31m.ts',
        'z\u202ests.ts',
        'z\u2028.ts',
        'z\t.ts',
      ];
      const bytes = [
        Buffer.from([0x7a, 0xff, 0xfe, 0x2e, 0x74, 0x73]),
        Buffer.from([0x7a, 0xc0, 0xaf, 0x2e, 0x70, 0x79]),
      ];
      for (const branch of ['a', 'b'])
        addEntries(
          repository,
          branch,
          [...list, ...bytes].map((name) => ({ mode: '100644', name, id })),
        );
    },
  },
  {
    name: 'conflicts in files whose names are escapes and options',
    build(repository) {
      const list = [
        `${escapes}.ts`,
        '--output=a.ts',
        '-rf',
        '--help',
        ':(exclude)*',
        ':!a.ts',
        '@{u}',
        '*',
        'z"\'`.ts',
      ];
      for (const branch of ['a', 'b'])
        addEntries(
          repository,
          branch,
          list.map((name) => ({
            mode: '100644',
            name,
            id: blob(repository, `export const x = "${branch}${escapes}";\n`),
          })),
        );
    },
  },
  {
    name: 'names that differ by case or by the form of an umlaut or are too long',
    build(repository) {
      const id = blob(repository, 'export class A {}\n');
      const list = [
        'Z.ts',
        'z.ts',
        'z\u00e9.ts',
        'ze\u0301.ts',
        'CON.ts',
        'aux',
        `${'z'.repeat(5000)}.ts`,
        'z.ts ',
      ];
      addEntries(
        repository,
        'a',
        list.map((name) => ({ mode: '100644', name, id })),
      );
      addEntries(
        repository,
        'b',
        ['A.TS', 'A.PY', 'PACKAGE.JSON'].map((name) => ({ mode: '100644', name, id })),
      );
    },
  },
  {
    name: 'links to devices and to secrets and in circles',
    build(repository) {
      const link = (name: string, target: string) => ({
        mode: '120000' as const,
        name,
        id: blob(repository, target),
      });
      const links = [
        link('z0.ts', '/dev/zero'),
        link('z1.ts', '/etc/passwd'),
        link('z2.py', 'z2.py'),
        link('z3.json', '/proc/self/environ'),
        link('z4', '..'),
        link('z5.ts', 'x'.repeat(100_000)),
        link('z6.ts', ''),
        link('tsconfig.json', '/dev/zero'),
        link('package.json', '/etc/passwd'),
        link('joinery.json', '/dev/zero'),
        link('.gitattributes', '/dev/zero'),
      ];
      for (const branch of ['main', 'a', 'b']) addEntries(repository, branch, links);
      symlinkSync('/dev/zero', join(repository.dir, 'joinery.json'));
    },
  },
  {
    name: 'pipes in the checkout where files are expected',
    build(repository) {
      for (const name of [
        'a.ts',
        'package.json',
        'tsconfig.json',
        'joinery.json',
        '.gitignore',
        '.gitattributes',
        '.mailmap',
        'AGENTS.md',
      ]) {
        repository.write({ [name]: null });
        execFileSync('mkfifo', [join(repository.dir, name)]);
      }
    },
  },
];

const tools: readonly HostileRepository[] = [
  {
    name: 'a compiler and its plugins committed in node_modules',
    build(repository, trap) {
      const packageOf = (name: string) => ({
        [`node_modules/${name}/package.json`]: JSON.stringify({
          name,
          version: '99.0.0',
          main: 'index.js',
          bin: './index.js',
        }),
        [`node_modules/${name}/index.js`]: trap.javaScript,
        [`node_modules/${name}/lib/typescript.js`]: trap.javaScript,
        [`node_modules/${name}/lib/tsserverlibrary.js`]: trap.javaScript,
      });
      everywhere(repository, {
        ...packageOf('typescript'),
        ...packageOf('evil-plugin'),
        ...packageOf('pyright'),
        ...packageOf('@babel/parser'),
        'node_modules/.bin/tsc': trap.shell,
        'tsconfig.json': JSON.stringify({
          compilerOptions: {
            plugins: [{ name: 'evil-plugin', transform: './transform.js' }],
            types: ['evil-plugin'],
          },
        }),
        'transform.js': trap.javaScript,
      });
    },
  },
  {
    name: 'settings files of many tools that are programs',
    build(repository, trap) {
      const scripts = [
        '.pnp.cjs',
        '.eslintrc.js',
        'eslint.config.cjs',
        'prettier.config.cjs',
        'babel.config.js',
        'vitest.config.cjs',
      ];
      everywhere(repository, {
        ...Object.fromEntries(
          [
            ...scripts,
            'joinery.config.js',
            'joinery.js',
            '.joinery/index.js',
            '.joinery/plugins/evil.js',
            '.yarn/evil.cjs',
          ].map((path) => [path, trap.javaScript]),
        ),
        '.yarnrc.yml': 'yarnPath: .yarn/evil.cjs\nplugins:\n  - ./.yarn/evil.cjs\n',
        '.npmrc': 'node-options=--require=./.pnp.cjs\nscript-shell=./evil.sh\nignore-scripts=false\n',
        'evil.sh': trap.shell,
        'package.json': JSON.stringify({
          scripts: { preinstall: 'node .pnp.cjs', test: 'node .pnp.cjs', prepare: 'node .pnp.cjs' },
          packageManager: 'yarn@file:.yarn/evil.cjs',
          prettier: './prettier.config.cjs',
        }),
      });
    },
  },
  {
    name: 'modules of python that stand before those of the system',
    build(repository, trap) {
      const modules = [
        'ast',
        'json',
        'typing',
        'sitecustomize',
        'usercustomize',
        'mypy',
        'tokenize',
        'encodings',
        'tomllib',
        're',
        'setup',
        'conftest',
      ];
      everywhere(repository, Object.fromEntries(modules.map((name) => [`${name}.py`, trap.python])));
      add(repository, 'a', { 'b.py': 'import ast\nimport setup\nfrom conftest import *\n' });
    },
  },
  {
    name: 'plugins for the type checkers of python',
    build(repository, trap) {
      everywhere(repository, {
        'evil.py': trap.python,
        'mypy.ini':
          '[mypy]\nplugins = ./evil.py, evil\npython_executable = ./evil.sh\nmypy_path = /etc:/dev\n',
        'setup.cfg': '[mypy]\nplugins = evil\n[options]\npackages = find:\n',
        'setup.py': trap.python,
        'evil.sh': trap.shell,
        'pyrightconfig.json':
          '{"venvPath":"/","venv":"proc","extraPaths":["/etc","/dev"],"extends":"/dev/zero","include":["/"]}',
        'pyproject.toml':
          '[build-system]\nrequires = []\nbuild-backend = "evil"\nbackend-path = ["."]\n[tool.mypy]\nplugins = ["evil"]\n[tool.pyright]\nextraPaths = ["/"]\n',
        '.venv/bin/python': trap.shell,
        '.venv/pyvenv.cfg': 'home = /\n',
        '.venv/lib/python3.11/site-packages/evil.pth': 'import evil\n',
      });
    },
  },
  {
    name: 'a tsconfig that extends devices and secrets and itself',
    build(repository) {
      everywhere(repository, {
        'tsconfig.json': JSON.stringify({
          extends: [
            './tsconfig.json',
            '/dev/zero',
            '/etc/passwd',
            '../../../../../../etc/hosts',
            './loop.json',
          ],
          files: ['/etc/passwd', '/dev/zero'],
          include: ['/**/*', '../../**/*'],
          references: [{ path: '.' }, { path: '/' }],
          compilerOptions: {
            paths: { '*': ['/dev/zero', '../../../*'] },
            typeRoots: ['/'],
            rootDirs: ['/'],
            outDir: '/',
            incremental: true,
            tsBuildInfoFile: './a.ts',
          },
        }),
        'loop.json': '{"extends":"./tsconfig.json"}',
      });
      add(repository, 'a', {
        'b.ts':
          '/// <reference path="/dev/zero" />\n/// <reference path="../../../../etc/passwd" />\nexport * from "/etc/passwd";\n',
      });
    },
  },
  {
    name: 'a joinery.json of wrong kinds with commands and patterns that never end',
    build(repository, trap) {
      const text = JSON.stringify({
        extends: '/etc/passwd',
        $schema: 'http://169.254.169.254/',
        base: '--output=a.ts',
        include: ['(a+)+$', `${'**/'.repeat(400)}*`, `{${'a,'.repeat(5000)}}`, '../../**'],
        exclude: { length: 1e9 },
        ignore: [null, 1, `!(${'+(a|'.repeat(20)}b${')'.repeat(21)}`],
        plugins: ['./evil.cjs'],
        setup: './evil.sh',
        gates: { test: './evil.sh' },
        commands: ['./evil.sh'],
        cacheDir: '/',
        timeout: -1,
        constructor: { prototype: { x: 1 } },
      }).replace('"base"', '"__proto__":{"polluted":true,"toString":1},"base"');
      const files = {
        'evil.cjs': trap.javaScript,
        'evil.sh': trap.shell,
        'joinery.json': text,
        '.joinery/config.json': text,
        '.joinery.json': text,
      };
      everywhere(repository, files);
    },
  },
];

export const hostileContent: readonly HostileRepository[] = [...names, ...tools];
