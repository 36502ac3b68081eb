import type { HostileRepository } from './hostile-repository.ts';
import { add, addEntries, blob, escapes, everywhere, tree } from './kit.ts';

const deep = (open: string, middle: string, close: string, depth: number) =>
  open.repeat(depth) + middle + close.repeat(depth);

export const hostileBombs: readonly HostileRepository[] = [
  {
    name: 'sources nested so deep that a parser runs out of stack',
    build(repository) {
      add(repository, 'a', {
        'b.ts': `export const x = ${deep('(', '1', ')', 100_000)};\n`,
        'n.ts': `export type T = ${deep('[', 'string', ']', 50_000)};\n`,
        'b.py': `x = ${deep('(', '1', ')', 100_000)}\n`,
        'i.py':
          Array.from({ length: 500 }, (_, depth) => `${' '.repeat(depth)}if x:\n`).join('') +
          ' '.repeat(500) +
          'pass\n',
        'c.js': `export const y = ${'!'.repeat(100_000)}a${'.b'.repeat(100_000)};\n`,
        't.tsx': `export const z = ${deep('<a>', '', '</a>', 30_000)};\n`,
      });
    },
  },
  {
    name: 'types that multiply to millions',
    build(repository) {
      everywhere(repository, { 'shape.ts': 'export interface Shape { id: number; size: string }\n' });
      add(repository, 'a', { 'shape.ts': 'export interface Shape { id: number; extent: string }\n' });
      add(repository, 'b', {
        'c.ts': `import type { Shape } from './shape';
type D = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type N = \`\${D}\${D}\${D}\${D}\`;
type Grow<T, K extends unknown[] = []> = K['length'] extends 900 ? T : Grow<{ a: T; b: T }, [...K, T]>;
type Loop<T> = T extends \`\${infer H}\${infer R}\` ? Loop<R> | Loop<\`\${H}\${R}\`> : never;
export const grown: Grow<Shape> = null as unknown as Grow<Grow<Shape>>;
export const loop: Loop<N> = 'x' as Loop<\`\${N}\${N}\`>;
export const size = (shape: Shape) => shape.size;
`,
      });
    },
  },
  {
    name: 'yaml that laughs a thousand million times and builds objects',
    build(repository, trap) {
      const letters = [...'abcdefghijk'];
      const laughs = letters
        .map(
          (letter, index) =>
            `${letter}: &${letter} [${Array(10)
              .fill(index ? `*${letters[index - 1]}` : 'lol')
              .join(', ')}]\n`,
        )
        .join('');
      add(repository, 'a', {
        'z.yaml': laughs,
        'loop.yml': 'a: &a\n  <<: *a\n  b: *a\n',
        'deep.yaml': `${'['.repeat(50_000)}\n`,
        'run.yml': `x: !!python/object/apply:os.system ["touch ${trap.mark}"]\ny: !!js/function "function () { ${trap.javaScript.trim()} }"\n`,
        'openapi.yaml': `openapi: 3.0.0\npaths: &p\n  /x: *p\n${laughs}`,
        '.github/workflows/x.yml': laughs,
      });
    },
  },
  {
    name: 'json and toml nested a hundred thousand deep with keys of prototypes',
    build(repository) {
      const text =
        '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"x":' +
        deep('[', '', ']', 100_000) +
        '}';
      for (const branch of ['a', 'b'])
        add(repository, branch, {
          [`${branch}.json`]: text,
          'package.json':
            '{"name":"__proto__","exports":{"__proto__":{".":"../../etc/passwd"}},"dependencies":{"__proto__":"1","toString":"2"},"workspaces":["../../**","/"],"main":{}}',
          'deep.toml':
            'a' +
            '.a'.repeat(30_000) +
            ' = 1\nx = ' +
            deep('[', '', ']', 30_000) +
            '\n[__proto__]\npolluted = 1\n[[a.b]]\n[a.b]\n',
          'package-lock.json':
            '{"lockfileVersion":3,"packages":{"__proto__":{},"../../../etc":{"link":true}},"dependencies":' +
            deep('{"a":{"dependencies":', '{}', '}}', 5000) +
            '}',
        });
    },
  },
  {
    name: 'duplicate keys and conflicts that are terminal escapes',
    build(repository) {
      everywhere(repository, {
        'z.json': '{\n  "a": 1\n}\n',
        'z.env': 'A=1\n',
        'z.ts': 'export const x = 1;\n',
        'z.yaml': 'a: 1\n',
      });
      for (const branch of ['a', 'b'])
        add(repository, branch, {
          'z.json': `{\n  "a": 1,\n  "\\u001b]0;owned\\u0007\\u202e": "${branch}",\n  "${escapes}": 1,\n  "${escapes}": 2\n}\n`,
          'z.env': `A=1\n${escapes}=${branch}\n${escapes}=2\n`,
          'z.ts': `export const x = '${branch}${escapes}\u202e'; // ${escapes}\nexport const \u202d\u2066evil = 1;\n`,
          'z.yaml': `a: 1\n"\\e[2J\\x9b31m": ${branch}\n"\\e[2J\\x9b31m": 2\n`,
        });
    },
  },
  {
    name: 'names in code that are escapes and hidden letters and break a seam',
    build(repository) {
      const field = 'siz\u202ee\u2066';
      everywhere(repository, {
        'user.ts': `export interface User {\n  '${escapes}': string;\n  '${field}': number;\n}\n`,
        'user.py': 'class User:\n    em\u0430il = 1\n',
      });
      add(repository, 'a', {
        'user.ts': `export interface User {\n  'x${escapes}': string;\n}\n`,
        'user.py': 'class User:\n    mail = 1\n',
      });
      add(repository, 'b', {
        'use.ts': `import type { User } from './user';\nexport const f = (u: User) => u['${escapes}'] + u['${field}'];\n`,
        'use.py': 'from user import User\n\nprint(User.em\u0430il)\n',
      });
    },
  },
  {
    name: 'schemas that refer to secrets and to the network and to themselves',
    build(repository) {
      const refs = [
        'file:///etc/passwd',
        '/etc/passwd',
        'http://169.254.169.254/latest',
        '../../../../etc/hosts#/x',
        '#/components/schemas/A',
        '/dev/zero',
        '#/__proto__/x',
      ];
      const schemas = Object.fromEntries(
        refs.map((ref, index) => ['ABCDEFGH'[index], { $ref: ref, allOf: [{ $ref: ref }] }]),
      );
      for (const branch of ['a', 'b'])
        add(repository, branch, {
          'openapi.json': JSON.stringify({
            openapi: '3.1.0',
            paths: { [`/${branch}`]: { $ref: `#/paths/~1${branch}` } },
            components: { schemas },
          }),
          'z.proto':
            'syntax = "proto3";\nimport "z.proto";\nimport "../../../../etc/passwd";\nimport "/dev/zero";\n' +
            deep('message M { ', 'M m = 1;', ' }', 5000) +
            '\n',
          'schema.prisma':
            'datasource db {\n  provider = "sqlite"\n  url = env("HOME")\n}\ngenerator x {\n  provider = "./evil.sh"\n}\nmodel A {\n  id Int @id @default(dbgenerated("' +
            '('.repeat(20_000) +
            '"))\n  a A? @relation(fields: [id], references: [id])\n}\n',
          'z.graphql':
            '#import "/etc/passwd"\nfragment F on Q { ...F ...G }\nfragment G on Q { ...F }\ninput I { i: I! }\ntype Q ' +
            deep('{ a(x: ', '1', ') ', 20_000) +
            '\n"""' +
            escapes +
            '"""\n',
          'z.sql':
            '\\! touch /tmp/owned\n\\i /etc/passwd\n.read /etc/passwd\nCREATE TABLE "' +
            escapes +
            '" (a INT DEFAULT ' +
            deep('(', '1', ')', 50_000) +
            ');\n',
        });
    },
  },
  {
    name: 'lines and texts that make patterns go back for ever',
    build(repository) {
      const same = 'a'.repeat(100_000);
      const files = {
        'z.md':
          deep('[', 'x', '](', 20_000) +
          '\n' +
          '*_'.repeat(50_000) +
          '\n' +
          '<!-'.repeat(50_000) +
          '\n' +
          '`'.repeat(50_000) +
          '\n| ' +
          ' '.repeat(100_000) +
          'x\n',
        'z.js':
          'var ' +
          same +
          '=/(' +
          'a?'.repeat(5000) +
          ')/;/*' +
          '*'.repeat(200_000) +
          '\n//' +
          ' '.repeat(200_000) +
          'x\nimport ' +
          '{'.repeat(20_000) +
          '\n',
        'z.py': `"""${'\\'.repeat(99_999)}\n${'# type: '.repeat(20_000)}\nf"${'{'.repeat(10_001)}\n`,
        '.env': `A="${'\\"'.repeat(100_000)}\nB=${'${B}'.repeat(10_000)}\n${' '.repeat(200_000)}=\n`,
        'z.ini': `${'['.repeat(100_000)}\n${same}${' '.repeat(100_000)}\n`,
      };
      add(repository, 'a', files);
      add(
        repository,
        'b',
        Object.fromEntries(Object.entries(files).map(([path, text]) => [path, `x\n${text}`])),
      );
    },
  },
  {
    name: 'sources in encodings that hide what they are',
    build(repository, trap) {
      const id = (bytes: Buffer | string) => blob(repository, bytes);
      addEntries(repository, 'a', [
        { mode: '100644', name: 'z0.py', id: id('# coding: rot13\nvzcbeg bf\n') },
        { mode: '100644', name: 'z1.py', id: id(`# coding: utf-7\n+AGkAbQBwAG8AcgB0-\n${trap.python}`) },
        { mode: '100644', name: 'z2.py', id: id('# coding: ../../../evil\nx = 1\n') },
        { mode: '100644', name: 'z3.ts', id: id(Buffer.from('\ufeffexport const x = 1;\n', 'utf16le')) },
        { mode: '100644', name: 'z4.ts', id: id('export const x = 1;\0\0\0export const y = 2;\n') },
        {
          mode: '100644',
          name: 'z5.ts',
          id: id(Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80])),
        },
        { mode: '100644', name: 'z6.json', id: id('{"a":"\\ud800","\\udfff":1}') },
        {
          mode: '100644',
          name: 'z7.ts',
          id: id('export const x = 1;\rexport const y = 2;\u2028export const z = 3;\u0085\n'),
        },
      ]);
      addEntries(repository, 'b', [
        {
          mode: '100644',
          name: '.gitattributes',
          id: id('*.ts working-tree-encoding=UTF-16 eol=crlf ident\n[attr]x x\nx'.repeat(500)),
        },
      ]);
    },
  },
  {
    name: 'modules that import each other in thousands of circles',
    build(repository) {
      const files = (from: number) =>
        Object.fromEntries(
          Array.from({ length: 600 }, (_, index) => [
            `m/f${index}.ts`,
            `${Array.from(
              { length: 20 },
              (_, step) => `export * from './f${(index * 20 + step + from) % 600}';\n`,
            ).join('')}export const v${index} = ${from};\n`,
          ]),
        );
      everywhere(repository, files(0));
      add(repository, 'a', files(1));
      add(repository, 'b', {
        'c.ts': "export { v1, nothing } from './m/f0';\nexport * as all from './m/f1';\n",
      });
    },
  },
  {
    name: 'a folder of attributes that nest macros and hide every change',
    build(repository) {
      const id = blob(
        repository,
        '* binary -diff -merge -text export-ignore linguist-generated\n*.ts merge=ours diff=none\n',
      );
      const wide = tree(
        repository,
        Array.from({ length: 3000 }, (_, index) => ({
          mode: '100644' as const,
          name: `f${String(index).padStart(5, '0')}.ts`,
          id,
        })),
      );
      addEntries(repository, 'a', [
        { mode: '100644', name: '.gitattributes', id },
        {
          mode: '100644',
          name: '.gitignore',
          id: blob(repository, `*\n!${'**/'.repeat(2000)}\n${'[a-'.repeat(5000)}\n`),
        },
        { mode: '40000', name: 'zwide', id: wide },
      ]);
      addEntries(repository, 'b', [{ mode: '40000', name: '.gitattributes', id: wide }]);
    },
  },
];
