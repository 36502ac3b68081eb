import fc from 'fast-check';
import ts from 'typescript-5.9';
import { expect, test } from 'vitest';
import { sample } from '#test/support/sampling.ts';
import { compilerOptions, reduceConfig } from './reduced-config.ts';

const config = `{
  // settings of a team
  "$schema": "https://json.schemastore.org/tsconfig",
  "extends": ["./base", "@team/base"], /* two */
  "compilerOptions": {
    "strict": true, "plugins": [{ "name": "./evil.js" }], "target": "es2022",
    "generateTrace": "/tmp/trace",
    "paths": { "@/*": ["./src/*"], "b\\u0061d": ["x"], "ctrl\\u0000": ["y"] },
    "lib": ["es2022", "dom",],
    "outDir": "d\\u0001ist",
    "maxNodeModuleJsDepth": 2,
  },
  "include": ["src"],
  "references": [{ "path": "../other", "run": "me" }],
  "ts-node": { "require": ["./evil.js"] },
}
`;

test('what a checker needs keeps its position, and the rest is removed', () => {
  const { text, extended, referenced } = reduceConfig(config);
  expect(JSON.parse(text)).toEqual({
    extends: ['./base', '@team/base'],
    compilerOptions: {
      strict: true,
      target: 'es2022',
      paths: { '@/*': ['./src/*'], bad: ['x'] },
      lib: ['es2022', 'dom'],
      maxNodeModuleJsDepth: 2,
    },
    include: ['src'],
    references: [{ path: '../other' }],
  });
  expect({ extended, referenced }).toEqual({ extended: ['./base', '@team/base'], referenced: ['../other'] });
  expect(text).toHaveLength(config.length);
  for (const token of ['"strict"', '"target"', '"es2022"', '"include"', '"../other"'])
    expect(text.indexOf(token)).toBe(config.indexOf(token));
});

test('every option of the compiler is either kept or deliberately left out', () => {
  const { optionDeclarations } = ts as unknown as {
    optionDeclarations: readonly { name: string; isCommandLineOnly?: boolean }[];
  };
  const leftOut = optionDeclarations
    .filter(({ name, isCommandLineOnly }) => !isCommandLineOnly && !compilerOptions.has(name))
    .map(({ name }) => name);
  expect(leftOut.sort()).toEqual([
    ...[
      'all',
      'assumeChangesOnlyAffectDirectDependencies',
      'diagnostics',
      'explainFiles',
      'extendedDiagnostics',
    ],
    ...['generateCpuProfile', 'generateTrace', 'init', 'listEmittedFiles', 'listFiles', 'plugins'],
    ...['preserveWatchOutput', 'pretty', 'project', 'traceResolution', 'tsBuildInfoFile', 'version'],
  ]);
});

test('extends can be removed, which leaves an error there and the rest unchanged', () => {
  const { withoutBase } = reduceConfig(config);
  const { error, config: read } = ts.parseConfigFileTextToJson('tsconfig.json', withoutBase);
  expect(error?.start).toBe(config.indexOf('["./base"'));
  expect(read.compilerOptions.strict).toBe(true);
  expect(read.include).toEqual(['src']);
});

test('a file that is not valid JSON stays invalid, with the error at the same position', () => {
  const broken = '{\n  "compilerOptions": {\n    "strict": true\n    "plugins": []\n  }\n}\n';
  const { text } = reduceConfig(broken);
  const { error } = ts.parseConfigFileTextToJson('tsconfig.json', text);
  expect(error?.start).toBe(broken.indexOf('"plugins"'));
  expect(text).not.toContain('plugins');
});

test.each(['[]', '"x"', '3', 'null', '', '   ', '{', `${'['.repeat(100_000)}`])(
  '%.20s is not a tsconfig, and not a problem',
  (text) => {
    expect(reduceConfig(text).text.length).toBeGreaterThanOrEqual(text.length);
  },
);

test('compilers read the reduced file as they read the original', () => {
  const value = fc.oneof(
    fc.boolean(),
    fc.constantFrom('es2022', './src', 'a\u2028b', "it's", 'b\\c', '\u00e9', '\ud800'),
    fc.array(fc.constantFrom('dom', './x/*', '\t')),
    fc.record({ '@/*': fc.array(fc.constantFrom('./a', '/b')) }),
  );
  const key = fc.constantFrom(...compilerOptions, 'plugins', '__proto__', 'generateTrace');
  const written = fc
    .record({
      compilerOptions: fc.dictionary(key, value),
      include: fc.array(fc.constant('src')),
      other: value,
    })
    .chain((settings) =>
      fc
        .constantFrom(0, 1, 2)
        .map((indent) =>
          JSON.stringify(settings, null, indent).replaceAll(',', () => (indent === 1 ? ', // why\n' : ',')),
        ),
    );
  fc.assert(
    fc.property(written, (text) => {
      const reduced = ts.parseConfigFileTextToJson('tsconfig.json', reduceConfig(text).text);
      expect(reduced.error).toBeUndefined();
      const whole = ts.parseConfigFileTextToJson('tsconfig.json', text).config;
      for (const [name, kept] of Object.entries(reduced.config.compilerOptions ?? {}))
        if (!Array.isArray(kept) && typeof kept !== 'object')
          expect(kept).toEqual(whole.compilerOptions[name]);
      expect(Object.keys(reduced.config)).not.toContain('other');
      expect(reduced.config.compilerOptions?.plugins).toBeUndefined();
    }),
    sample('reduced tsconfigs', { normal: 300, soak: 20_000 }),
  );
});
