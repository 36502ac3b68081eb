import { expect, test } from 'vitest';
import { reducedGoMod } from './go-mod.ts';

const reduced = (text: string, folder = '.') => reducedGoMod(text, folder).trim().split('\n');

test('keeps modules and their versions, removes comments, tools and tool chains', () => {
  const text = `module example.com/p // why

go 1.22
toolchain go1.99.0
require (
	a.com/b v1.2.3 // indirect
	"c.com/d" v0.1.0
)
exclude e.com/f v1.0.0
replace a.com/b v1.2.3 => g.com/h v1.0.0
tool a.com/b/cmd
`;
  expect(reduced(text)).toEqual([
    'module example.com/p',
    'go 1.22',
    'require a.com/b v1.2.3',
    'require c.com/d v0.1.0',
    'exclude e.com/f v1.0.0',
    'replace a.com/b v1.2.3 => g.com/h v1.0.0',
  ]);
});

test.each([
  ['.', './tools'],
  ['apps/a', '../../libs/b'],
  ['apps/a', '"../b"'],
])('in %s a module may be at %s', (folder, target) => {
  expect(reduced(`replace x => ${target}`, folder)[0]).toContain('replace x => ');
});

test.each([
  ['.', '/etc/x'],
  ['.', '../outside'],
  ['.', '"/etc/x"'],
  ['.', '`../outside`'],
  ['apps/a', '../../../outside'],
  ['apps/a', './b/../../../../outside'],
  ['.', '"\\x2fetc"'],
  ['.', '..'],
  ['.', '/etc/x v1.0.0'],
])('in %s it may not be at %s', (folder, target) => {
  expect(reduced(`module p\nrequire x v1.0.0\nreplace x => ${target}`, folder)).toEqual(['module p']);
  expect(reduced(`module p\nreplace (\n\tx v1.0.0=>${target}\n)`, folder)).toEqual(['module p']);
});
