import { describe, expect, test } from 'vitest';
import { readType, splitType } from './type-text.ts';

describe('a written type', () => {
  test.each([
    ['User', { is: 'name', name: 'User', arguments: [] }],
    ['models.User | null', { is: 'name', name: 'models.User', arguments: [] }],
    ['Page<User, Map<string, Team>>', { is: 'name', name: 'Page', arguments: ['User', 'Map<string, Team>'] }],
    ['readonly User[]', { is: 'list', of: 'User' }],
    ['(User | Team)[]', { is: 'list', of: '(User | Team)' }],
    ['Array<User>', { is: 'list', of: 'User' }],
    ['Map<string, User>', { is: 'map', of: 'User' }],
    ['Record<Key, () => User>', { is: 'record', of: '() => User' }],
    ["Omit<User, 'id' | 'name'>", { is: 'name', name: 'User', arguments: [] }],
    ['Readonly<Record<string, User>>', { is: 'record', of: 'User' }],
    ['Opened | Closed | undefined', { is: 'union', of: ['Opened', 'Closed'] }],
  ])('%s', (text, expected) => {
    expect(readType(text)).toEqual(expected);
  });

  test.each([
    '(user: User) => Team',
    'keyof User',
    "User['id']",
    'User extends T ? A : B',
    'Map<string, Us',
    'null',
    '',
  ])('leads nowhere: %s', (text) => {
    expect(readType(text)).toEqual({ is: 'other' });
  });

  test.each([
    ['Common & Own', ['Common', 'Own']],
    ['A<B> & C<D> | null', ['A<B>', 'C<D>']],
  ])('is an intersection: %s', (text, of) => {
    expect(readType(text)).toEqual({ is: 'intersection', of });
  });

  test.each([
    ['ReturnType<typeof load>', 'load.()'],
    ['ReturnType<typeof api.load>', 'api.load.()'],
    ['Awaited<ReturnType<typeof load>>', 'load.(await)'],
  ])('names the result of a function: %s', (text, name) => {
    expect(readType(text)).toEqual({ is: 'name', name, arguments: [] });
  });

  test.each([
    ['Partial<User>', { is: 'name', name: 'Partial', arguments: ['User'] }],
    ['Array<User>', { is: 'name', name: 'Array', arguments: ['User'] }],
    ['ReturnType<typeof load>', { is: 'name', name: 'ReturnType', arguments: ['typeof load'] }],
  ])('is plain where the file defines its name itself: %s', (text, expected) => {
    expect(readType(text, () => true)).toEqual(expected);
  });

  test('is split outside of brackets and quotes', () => {
    expect(splitType("A<B, C>, ',', (a: D) => E", ',')).toEqual(['A<B, C>', "','", '(a: D) => E']);
    expect(splitType('A>', ',')).toBeNull();
  });
});
