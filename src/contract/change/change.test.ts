import { expect, test } from 'vitest';
import { Contract, exampleContract } from '#schema/contract.ts';
import { applyChange, describeChange, tasksDependingOn } from './change.ts';

const contract = Contract.parse(exampleContract);
const apply = (item: string, set: object | null) =>
  applyChange(contract, { item, set, reason: 'r' }, 'list', new Set(['user', 'list']));

test('fields, functions and relationships can change; items can be added and removed', () => {
  expect(apply('User', { keyFields: ['id'] })).toMatchObject({
    status: 'changed',
    contract: { entities: [{ name: 'User', keyFields: ['id'], createdByTask: 'user' }, { name: 'Order' }] },
  });
  expect(apply('Order → User', { via: 'orders.owner_id' })).toMatchObject({
    contract: { relationships: [{ via: 'orders.owner_id', type: 'belongs_to' }] },
  });
  expect(apply('Order -> User', null)).toMatchObject({ contract: { relationships: [] } });
  expect(apply('Cart', { type: 'type', keyFields: ['id'] })).toMatchObject({
    contract: { entities: [{}, {}, { name: 'Cart', createdByTask: 'list' }] },
  });
  expect(apply('User', { keyFields: ['id', 'name'] })).toEqual({ status: 'same' });
});

test.each([
  ['Nobody', { keyFields: ['id'] }, /no item Nobody/],
  ['Nobody', null, /no item Nobody/],
  ['User', null, /there is no entity User/],
  ['User', { type: 'planet' }, /type/],
  ['User → Cart', { type: 'has_many', via: 'x' }, /there is no entity Cart/],
  ['Order → User', { type: 'owns' }, /type/],
])('%s with %j is impossible', (item, set, reason) => {
  expect(apply(item, set)).toMatchObject({ status: 'impossible', reason: expect.stringMatching(reason) });
});

test('tasks that create an item or something related to it, declare its file or mention it depend on it', () => {
  const task = (id: string, more: object = {}) => ({
    id,
    title: id,
    description: '',
    files: [],
    acceptance: [],
    ...more,
  });
  const tasks = [
    task('user'),
    task('file', { files: ['src/user.ts'] }),
    task('words', { acceptance: [{ text: 'shows the User' }] }),
    task('other', { description: 'UserList and Superuser are other words' }),
  ];
  expect(tasksDependingOn(contract, 'User', tasks)).toEqual(['user', 'file', 'words']);
  expect(tasksDependingOn(contract, 'Order → User', tasks)).toEqual(['user', 'file', 'words']);
  expect(describeChange({ item: 'User', set: null, reason: 'unused' })).toBe(
    'User: it is no longer part of the contract (because unused)',
  );
});
