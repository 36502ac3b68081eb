import { beforeAll, expect, test } from 'vitest';
import { csharpEntry } from './index.ts';

const { language } = csharpEntry;
beforeAll(() => language.prepare());

const source = `using System;
using Shop.Store;
using static Shop.Text;
using Alias = Shop.Store.User;

namespace Shop.App;

public abstract class Service<T> : Base, IRepo where T : class {
  private readonly User user;
  public string Name { get; set; }
  public Service(User user, params int[] rest) { this.user = user; }
  public override string Find(string id, int n = 2) {
    var other = new User(id) { Label = "x" };
    foreach (User each in All()) { each.Show(n: 1); }
    return other?.Title + this.user.Name + Helper(1) + Alias.Make<int>(n);
  }
  protected abstract int Helper(int a);
}
public partial class Half {}
public record Point(int X, int Y);
public enum Color { Red, Green = 2 }
`;

test('definitions have containers, bases and parameters', () => {
  const { definitions, syntaxError } = language.extract(source);
  expect(syntaxError).toBeNull();
  expect(definitions.map(({ kind, container, name }) => `${kind} ${container ?? ''}.${name}`)).toEqual([
    'class .Service',
    'field Service.user',
    'field Service.Name',
    'constructor Service.constructor',
    'method Service.Find',
    'method Service.Helper',
    'class .Half',
    'class .Point',
    'field Point.X',
    'field Point.Y',
    'enum .Color',
    'enum-member Color.Red',
    'enum-member Color.Green',
  ]);
  expect(definitions[0]).toMatchObject({ bases: ['Base'], implements: ['IRepo'], abstract: true });
  const parameters = (name: string) =>
    definitions
      .find((each) => each.name === name)
      ?.signature?.parameters.map(({ name: own, kind, required }) => `${own} ${kind} ${required}`);
  expect(parameters('constructor')).toEqual(['user positional true', 'rest rest false']);
  expect(parameters('Find')).toEqual(['id positional true', 'n positional false']);
  // The rest of it is in another file.
  expect(definitions.find(({ name }) => name === 'Half')).toMatchObject({ members: { open: true } });
});

test("namespaces, aliases and the file's own namespace are imports; static ones are not followed", () => {
  const { imports } = language.extract(source);
  expect(imports.map(({ local, imported, from }) => `${local ?? '*'} ${imported} ${from}`)).toEqual([
    '* ** System',
    '* ** Shop.Store',
    'Alias User Shop.Store',
    '* ** .',
  ]);
});

test('members are found through known types', () => {
  const { uses } = language.extract(source);
  const told = uses.map(({ root, rootIs, path }) => `${rootIs} ${[root, ...path].join('.')}`);
  expect(told).toEqual(
    expect.arrayContaining([
      'instance User.Label',
      'instance User.Show',
      'instance User.Title',
      'instance Service.user.Name',
      'instance Service.Helper',
      'name Alias.Make',
    ]),
  );
  expect(uses.find(({ path }) => path.at(-1) === 'Show')?.call).toMatchObject({ keywords: ['n'] });
});

test('any text gives facts', () => {
  expect(language.extract('').syntaxError).toBeNull();
  expect(language.extract('class A {').syntaxError).not.toBeNull();
  const huge = `class A {\n${'int F(int a) { return F(a); }\n'.repeat(1_000)}}`;
  expect(language.extract(huge).definitions).toHaveLength(1_001);
});

test.each([
  'int[] ids = [];',
  'List<int> ids = [ ];',
  'string?[] ids = found ? [] : all;',
  'int[] Ids() => [];',
  'int[] Ids() { return []; }',
  'void Add() { (ids ??= []).Add(Take([], [])); }',
  'bool IsEmpty(int[] all) => all is [];',
  'int[] Both() => [..ids, ..[]];',
])('empty collections are read: %s', (member) => {
  const text = `class Store {\n  ${member}\n  string Last(int[] a, string?[] b) => "[]";\n}\n`;
  const { definitions, syntaxError } = language.extract(text);
  expect(syntaxError).toBeNull();
  expect(definitions.find(({ name }) => name === 'Last')).toMatchObject({ container: 'Store' });
});

test('code that is broken elsewhere stays broken', () => {
  expect(language.extract('class Store {\n  int[] ids = [];\n  int Last( {\n').syntaxError).not.toBeNull();
});
