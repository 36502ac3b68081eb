import { beforeAll, expect, test } from 'vitest';
import { rubyEntry } from './index.ts';

const { language } = rubyEntry;
beforeAll(() => language.prepare());

const source = `require 'json'
require_relative 'store/user'

module Shop
  LIMIT = 5
  Point = Struct.new(:x, :y)

  class Service < Base
    include Loud
    attr_accessor :owner, :rest

    def initialize(owner, *rest, deep: false)
      @owner = owner
    end

    def find(user, id = nil, limit:, &block)
      made = User.new('a', age: 3)
      made.label('a')
      Text.slug(id)
      ::Top.run
      Other::Thing.go
      owner
      self.rest
      String(id)
    end

    def self.build(name)
      new(name)
    end

    class << self
      def open(path) = path
    end
  end
end
`;

test('definitions have full names, bases and parameters', () => {
  const { definitions, syntaxError } = language.extract(source);
  expect(syntaxError).toBeNull();
  expect(definitions.map(({ kind, container, name }) => `${kind} ${container ?? ''}.${name}`)).toEqual([
    'namespace .Shop',
    'field Shop.LIMIT',
    'class .Shop::Point',
    'field Shop::Point.x',
    'field Shop::Point.y',
    'class .Shop::Service',
    'field Shop::Service.owner',
    'field Shop::Service.rest',
    'constructor Shop::Service.initialize',
    'method Shop::Service.find',
    'method Shop::Service.build',
    'method Shop::Service.open',
  ]);
  const of = (name: string) => definitions.find((each) => each.name === name);
  expect(of('Shop::Service')).toMatchObject({
    bases: ['Shop::Base', 'Shop::Loud'],
    members: { open: false, lent: true },
  });
  expect([of('build')?.static, of('open')?.static, of('find')?.static]).toEqual([true, true, false]);
  expect(of('find')?.signature?.parameters.map(({ name, kind, required }) => [name, kind, required])).toEqual(
    [
      ['user', 'positional-only', true],
      ['id', 'positional-only', false],
      ['limit', 'keyword-only', true],
    ],
  );
});

test('uses start at constants, at types of locals and at the enclosing class', () => {
  const { uses, imports } = language.extract(source);
  expect(imports.map(({ imported, from }) => `${imported} ${from}`)).toEqual(['** ./store/user']);
  const told = uses.map(({ kind, root, rootIs, path, call }) =>
    [kind, rootIs === 'instance' ? `(${root})` : root, ...path, call ? call.keywords.join() : '-'].join(' '),
  );
  expect(told).toEqual([
    'read Shop::Base -',
    'read Shop::Loud -',
    'new Shop::User age',
    'call (Shop::User) label ',
    'call Shop::Text slug ',
    'call Top run ',
    'call Shop::Other::Thing go ',
    'read (Shop::Service) owner -',
    'call (Shop::Service) rest ',
  ]);
});

test.each([
  ['has_many :posts', true],
  ['def method_missing(name); end', true],
  ['define_method(:a) { 1 }', true],
  ['private', false],
  ['attr_reader :a', false],
])('a class with %s may have more members: %s', (line, isOpen) => {
  const [made] = language.extract(`class User\n  ${line}\nend\n`).definitions;
  expect(made?.members?.open).toBe(isOpen);
});

test('where no file is required by its path, constants are loaded by name', () => {
  const { imports } = language.extract('class UsersController < Base\n  def index = User.all\nend\n');
  expect(imports.map(({ from }) => from)).toEqual(['autoload:Base', 'autoload:User']);
});

test('code that may bring any constant is marked opaque', () => {
  const opaque = (text: string) => language.extract(text).opaque;
  expect(opaque("require 'set'\nrequire_relative 'a'\n")).toEqual([]);
  expect(opaque("require 'faraday'\n")).toEqual(['a require along the load path']);
  expect(opaque('require name\n')).toEqual(['a computed require']);
});

test('any text gives facts', () => {
  expect(language.extract('').syntaxError).toBeNull();
  expect(language.extract('class A\n  def b(').syntaxError).not.toBeNull();
  const huge = 'def f(a)\n  g(a)\nend\n'.repeat(1_000);
  expect(language.extract(huge).definitions).toHaveLength(1_000);
});
