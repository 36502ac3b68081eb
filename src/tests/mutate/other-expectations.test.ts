import { describe, expect, test } from 'vitest';
import { type Lot, namesDefinedIn, withOtherExpectations } from './other-expectations.ts';

const about = new Set(['add']);
const lot: Lot = { nameFor: (at) => `k${at}`, roll: () => 0 };
const added = async (path: string, text: string) => {
  const { text: written, names } = await withOtherExpectations(path, text, about, lot);
  return { names, lines: written.split('\n').filter((line) => !text.split('\n').includes(line)) };
};

describe('a copy of a script test with another expectation', () => {
  test.each([
    ['assert.equal(add(1, 2), 3);', 'assert.equal(add(1, 2), 1012);'],
    ["assert.equal(add('a'), 'ab', 'why');", "assert.equal(add('a'), 'other ab', 'why');"],
    ['expect(add(1)).toBe(true);', 'expect(add(1)).toBe(false);'],
    ['expect(add(1)).toEqual([{ sum: 3 }]);', 'expect(add(1)).toEqual([{ sum: 1012 }]);'],
    ['assert(add(1, 2) === -3);', 'assert(add(1, 2) === -1012);'],
    ['assert.ok(add(1, 2));', 'assert.ok(!(add(1, 2)));'],
    ['same(add(1, 2), 3);', 'same(add(1, 2), 1012);'],
    ['await expect(add(1)).toEqual(null);', 'await expect(add(1)).toEqual(1009);'],
    ['assert.match(add(1), /a/);', 'assert.match(add(1), /other [0-9]{9}/);'],
    ['assert.equal(add(1, 2), three);', "assert.equal(add(1, 2), [three, 'other']);"],
  ])('%s becomes %s', async (from, to) => {
    const { names, lines } = await added('a.test.ts', `test('adds', async () => {\n  ${from}\n});\n`);
    expect(names).toEqual(['k0']);
    expect(lines).toEqual(["test('k0', async () => {", `  ${to}`]);
  });

  test.each([
    'assert.notEqual(add(1, 2), 3);',
    'expect(add(1)).not.toBe(3);',
    'assert.equal(sub(1, 2), 3);',
    'assert.throws(() => add(1));',
    "writeFileSync(add('a.txt'), 'text');",
    'isolate(add, 3);',
  ])('%s stays unchanged', async (line) => {
    const { names } = await added('a.test.ts', `test('adds', () => {\n  ${line}\n});\n`);
    expect(names).toEqual([]);
  });

  test('a copy of a table test gets our own title', async () => {
    const { text } = await withOtherExpectations(
      'a.test.js',
      "test.each(rows)('adds %s', (a, sum) => {\n  expect(add(a)).toBe(sum);\n});\n",
      about,
      lot,
    );
    expect(text).toContain("test.each(rows)('k0', (a, sum) => {\n  expect(add(a)).toBe([sum, 'other']);");
  });

  test('a third of the tests of a file is copied, and a copy stays in its suite', async () => {
    const body = (n: number) => `  it('${n}', () => expect(add(${n})).toBe(${n}));\n`;
    const { text, names } = await withOtherExpectations(
      'a.test.js',
      `describe('s', () => {\n${[1, 2, 3, 4].map(body).join('')}});\n`,
      about,
      lot,
    );
    expect(names).toHaveLength(2);
    expect(text).toMatch(/^ {2}it\('k\d+', \(\) => expect\(add\(1\)\)\.toBe\(1010\)\);$/m);
  });
});

describe('a copy of a Python test with another expectation', () => {
  test.each([
    ['assert add(1, 2) == 3', 'assert add(1, 2) == 1012'],
    ['assert 3 == add(1, 2)', 'assert 1012 == add(1, 2)'],
    ['assert add(1) == {"a": [None]}', 'assert add(1) == {"a": [1009]}'],
    ['assert add(1)', 'assert not (add(1))'],
    ['self.assertEqual(add(1, 2), "x")', 'self.assertEqual(add(1, 2), "other x")'],
    ['self.assertTrue(add(1) == True)', 'self.assertTrue(add(1) == False)'],
    ['same(add(1, 2), 3)', 'same(add(1, 2), 1012)'],
    ['assert add(1) == two', 'assert add(1) == ["other", two]'],
    ['self.assertIn(add(1), [1, 2])', 'self.assertIn(add(1), [["other", [1, 2]]])'],
  ])('%s becomes %s', async (from, to) => {
    const { names, lines } = await added('test_a.py', `@mark\ndef test_adds(self):\n    ${from}\n`);
    expect(names).toEqual(['k0']);
    expect(lines).toEqual(['def test_k0(self):', `    ${to}`]);
  });

  test('before or after the original, with any of its expectations and other values, as drawn', async () => {
    const text =
      'class A(T):\n    @mark\n    def test_adds(self):\n        assert add(1) == 2\n        assert add(2) == "x"\n';
    const roll = (_: number, what: string) => (what === 'test' ? 0 : 1);
    const { text: written } = await withOtherExpectations('test_a.py', text, about, { ...lot, roll });
    expect(written).toBe(
      'class A(T):\n    @mark\n    def test_k16(self):\n        assert add(1) == 2\n        assert add(2) == "qzj x"\n\n    @mark\n    def test_adds(self):\n        assert add(1) == 2\n        assert add(2) == "x"\n',
    );
  });

  test('if a close value may also be right, the other one is far off', async () => {
    const text = 'def test_adds(self):\n    self.assertGreaterEqual(add(1), 2)\n';
    const { text: written } = await withOtherExpectations('test_a.py', text, about, {
      ...lot,
      roll: (_, __, sides) => 1 % sides,
    });
    expect(written).toContain('self.assertGreaterEqual(add(1), 1011)');
  });

  test('the tests to copy are drawn at random', async () => {
    const text = [1, 2, 3].map((n) => `def test_${n}():\n    assert add(${n}) == ${n}\n`).join('\n\n');
    const roll = (at: number, what: string) => (what === 'test' ? 1000 - at : 0);
    const { names } = await withOtherExpectations('test_a.py', text, about, { ...lot, roll });
    expect(names).toEqual([`k${text.indexOf('def test_3')}`]);
  });

  test('setup code of a test stays unchanged', async () => {
    const { names } = await added('test_a.py', 'def test_adds():\n    seed(add(1), 3)\n');
    expect(names).toEqual([]);
  });

  test('the value of a row is replaced', async () => {
    const table = '@pytest.mark.parametrize("a, sum", [(1, [2, 3]), (2, [4])])';
    const { lines } = await added(
      'test_a.py',
      `${table}\ndef test_adds(a, sum):\n    assert add(a) == sum\n`,
    );
    expect(lines).toEqual([table.replace('[2, 3]', '[1011, 3]'), 'def test_k0(a, sum):']);
  });

  test('a copied method stays in its class', async () => {
    const text = 'class A(T):\n    def test_adds(self):\n        assert add(1) == 2\n\n    x = 1\n';
    const { text: written } = await withOtherExpectations('test_a.py', text, about, lot);
    expect(written).toContain('\n    def test_k16(self):\n        assert add(1) == 1011\n');
    expect(written.endsWith('\n    x = 1\n')).toBe(true);
  });
});

test('names that a source defines', () => {
  expect(namesDefinedIn('export function a() {}\nclass B {}\nexports.c = 1;\nasync def d():')).toEqual([
    ...['a', 'B', 'c', 'd'],
  ]);
});
