import { expect, test } from 'vitest';
import { missingName } from './own-losses.ts';

test.each([
  ['cannot find symbol: method assertThat(Order)', 'assertThat'],
  ['cannot find symbol: class Order', 'Order'],
  ['cannot find symbol: variable LIMIT', 'LIMIT'],
  ["The type or namespace name `Order' could not be found", 'Order'],
  ["The name `Limit' does not exist in the current context", 'Limit'],
  ["`Shop.Store' does not contain a definition for `Find'", 'Find'],
  ['undefined: store.Find', 'Find'],
  ['undefined: find', 'find'],
  ['incompatible types: int cannot be converted to String', null],
])('%s is about %s', (message, name) => {
  expect(missingName(message)).toBe(name);
});
