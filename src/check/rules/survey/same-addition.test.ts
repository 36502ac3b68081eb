import { expect, test } from 'vitest';
import { isSameAddition } from './same-addition.ts';

const picked = 'const a = 1;\nroute("/users");\n\nconst z = 1;\n';
const top = { text: `// top\n${picked}`, line: 3 };
const end = { text: `${picked}// end\n`, line: 2 };

test('a line that the merged file holds once is one addition', () => {
  expect(isSameAddition(top, end, `// top\n${picked}// end\n`)).toBe(true);
});

test('a line that the merged file holds twice is two', () => {
  expect(isSameAddition(top, end, `${top.text}${end.text}`)).toBe(false);
});

test('without a merged file, a line with the same neighbour on both sides is one addition', () => {
  expect(isSameAddition(top, end, null)).toBe(true);
});

test('without a merged file, a line in other surroundings is another one', () => {
  const elsewhere = { text: 'const b = 1;\nroute("/users");\nconst c = 2;\n', line: 2 };
  expect(isSameAddition(top, elsewhere, null)).toBe(false);
});

test('brackets alone do not make surroundings the same', () => {
  const one = { text: '}\nroute("/users");\n}\n', line: 2 };
  expect(isSameAddition(one, { text: 'x();\n}\nroute("/users");\n}\ny();\n', line: 3 }, null)).toBe(false);
});

test('different lines are two additions', () => {
  expect(
    isSameAddition({ text: 'route("/users");\n', line: 1 }, { text: 'route("/orders");\n', line: 1 }, null),
  ).toBe(false);
});
