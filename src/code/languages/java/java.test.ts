import { beforeAll, expect, test } from 'vitest';
import { javaEntry } from './index.ts';

const { language } = javaEntry;
beforeAll(() => language.prepare());

const source = `package com.shop.app;

import com.shop.store.User;
import static com.shop.store.Text.slug;
import com.shop.model.*;

public class Service<T> extends Base implements Repo {
  private User user;
  Service(User user, int... rest) { this.user = user; }
  public String find(String id) {
    var other = new User(id);
    return other.label(slug(id)) + helper(1) + user.name;
  }
  abstract int helper(int a);
  record Point(int x, int y) {}
}
`;

test('definitions have containers, bases and parameters', () => {
  const { definitions, syntaxError } = language.extract(source);
  expect(syntaxError).toBeNull();
  expect(definitions.map(({ kind, container, name }) => `${kind} ${container ?? ''}.${name}`)).toEqual([
    'class .Service',
    'field Service.user',
    'constructor Service.constructor',
    'method Service.find',
    'method Service.helper',
    'class Service.Point',
    'field Service.Point.x',
    'field Service.Point.y',
  ]);
  expect(definitions[0]).toMatchObject({ bases: ['Base'], implements: ['Repo'] });
});

test('uses start at imports, at types of locals and at the enclosing class', () => {
  const { uses, imports } = language.extract(source);
  expect(imports.map(({ local, imported, from }) => `${local} ${imported} ${from}`)).toEqual([
    'User User com.shop.store',
    'slug slug com.shop.store.Text#',
    'null ** com.shop.model',
    'null ** .',
  ]);
  const told = uses.map(({ kind, root, rootIs, path, call }) =>
    [kind, rootIs === 'instance' ? `(${root})` : root, ...path, call ? call.positional : '-'].join(' '),
  );
  expect(told).toContain('new User 1');
  expect(told).toContain('call (User) label 1');
  expect(told).toContain('call slug 1');
  expect(told).toContain('call (Service) helper 1');
  expect(told).toContain('read (Service) user name -');
});

test('any text gives facts', () => {
  expect(language.extract('').syntaxError).toBeNull();
  expect(language.extract('class A {').syntaxError).not.toBeNull();
  const huge = `class A {\n${'int f(int a) { return f(a); }\n'.repeat(1_000)}}`;
  expect(language.extract(huge).definitions).toHaveLength(1_001);
});

test.each([
  'boolean some(Object o) { return o instanceof Cache.Some(int number) && number > 1; }',
  'int some(Object o) { return switch (o) { case Cache.Some(int number) -> number; default -> 0; }; }',
])('record patterns with a qualified name are read: %s', (method) => {
  const { definitions, syntaxError } = language.extract(`class Reader {\n  ${method}\n}\n`);
  expect(syntaxError).toBeNull();
  expect(definitions.find(({ name }) => name === 'some')).toMatchObject({ container: 'Reader' });
});
