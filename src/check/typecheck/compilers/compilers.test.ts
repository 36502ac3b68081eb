import { expect, test } from 'vitest';
import { goVet } from './go-vet.ts';
import { javac } from './javac.ts';
import { mcs } from './mcs.ts';
import { php, ruby } from './syntax-checks.ts';

const rooms = { output: '/out', cache: '/cache' };

test('go vet runs once for each module, offline and without C', () => {
  const runs = goVet.runs(['go.mod', 'app/app.go', 'tools/go.mod', 'tools/main.go'], rooms);
  expect(runs.map(({ folder, args }) => [folder, ...args])).toEqual([
    ['', 'vet', '-json', './...'],
    ['tools', 'vet', '-json', './...'],
  ]);
  expect(runs[0]?.variables).toMatchObject({
    CGO_ENABLED: '0',
    GOFLAGS: '-mod=mod',
    GOPROXY: 'off',
    GOTOOLCHAIN: 'local',
  });
});

test('go vet: errors of the compiler count, warnings of analysers do not', () => {
  const output = `# example.com/shop/app
vet: app/app.go:6:9: too many return values
# example.com/shop/log
{
	"example.com/shop/log": {
		"printf": [
			{
				"posn": "log/log.go:9:2: of 3",
				"message": "fmt.Printf format %d has arg name of wrong type string"
			}
		]
	}
}
# example.com/shop/api
api/notes.go:8:27: order.Note undefined (type *store.Order has no field or method Note)
app/other.go:3:8: no required module provides package example.com/shop/gone; to add it:
app/more.go:3:8: cannot find module providing package example.com/shop/lost: module lookup disabled by GOPROXY=off
`;
  expect(goVet.read(output)).toMatchObject([
    { file: 'app/app.go', line: 6, column: 9, code: 'go:vet', message: 'too many return values' },
    { file: 'api/notes.go', line: 8, column: 27, code: 'go:vet' },
    {
      file: 'app/other.go',
      line: 3,
      code: 'go:import',
      message: 'there is no package "example.com/shop/gone"',
    },
    { file: 'app/more.go', code: 'go:import', message: 'there is no package "example.com/shop/lost"' },
  ]);
});

test('javac runs no annotation processors, and no path is read as an option', () => {
  const [run] = javac.runs(['src/A.java', '-Xplugin.java'], rooms);
  expect(run?.args).toContain('-proc:none');
  expect(run?.list?.text).toBe('"./src/A.java"\n"./-Xplugin.java"\n');
  expect(javac.isSource('src/module-info.java')).toBe(false);
});

test('javac: the missing symbol is part of the error', () => {
  const output = `src/app/Use.java:5: error: cannot find symbol
        return Store.find("a");
                    ^
  symbol:   method find(String)
  location: class Store
src/app/Use.java:9: warning: [removal] something
src/app/Use.java:2: error: package org.gone does not exist
import org.gone.Thing;
               ^
2 errors
`;
  expect(javac.read(output)).toMatchObject([
    { file: 'src/app/Use.java', line: 5, column: 21, message: 'cannot find symbol: method find(String)' },
    { line: 2, code: 'javac:import', message: 'there is no package "org.gone"' },
  ]);
});

test('mcs: errors count, warnings do not', () => {
  const output = `App/Use.cs(7,20): error CS0029: Cannot implicitly convert type \`int' to \`string'
App/Use.cs(3,5): warning CS0168: The variable is declared but never used
`;
  expect(mcs.read(output)).toMatchObject([{ file: 'App/Use.cs', line: 7, column: 20, code: 'CS0029' }]);
});

test.each([
  ['-:3: syntax error, unexpected end-of-input\n', 3, 'syntax error, unexpected end-of-input'],
  [
    "-: -:4: syntax errors found (SyntaxError)\n  3 |   a\n> 4 | end end\n    |     ^~~ unexpected 'end'\n",
    4,
    "unexpected 'end'",
  ],
])('ruby -c, old and new: %j', (output, line, message) => {
  expect(ruby.read(output)).toMatchObject({ line, message });
});

test('ruby -c and php -l report nothing about files that parse', () => {
  expect(ruby.read('Syntax OK\n')).toBeNull();
  expect(php.read('No syntax errors detected in Standard input code\n')).toBeNull();
  expect(
    php.read('PHP Fatal error:  Cannot redeclare three() in Standard input code on line 10\n'),
  ).toMatchObject({ line: 10, message: 'Cannot redeclare three()' });
});
