import { beforeAll, expect, test } from 'vitest';
import { goEntry } from './index.ts';

const { language } = goEntry;
beforeAll(() => language.prepare());

const source = `package store

import (
	"fmt"
	m "example.com/app/model"
)

type User struct {
	m.Base
	Name, Nick string
}

type Repo interface {
	Get(id string, more ...int) (*User, error)
}

func (u *User) Save(limit int) error {
	other := &User{Name: "a"}
	fmt.Println(other.Nick, limit)
	return u.check(m.New(1))
}

func init() {}
`;

test('definitions have containers, bases and parameters', () => {
  const { definitions, syntaxError } = language.extract(source);
  expect(syntaxError).toBeNull();
  expect(definitions.map(({ kind, container, name }) => `${kind} ${container ?? ''}.${name}`)).toEqual([
    'class .User',
    'field User.Base',
    'field User.Name',
    'field User.Nick',
    'interface .Repo',
    'method Repo.Get',
    'method User.Save',
    'function .init',
  ]);
  expect(definitions[0]?.bases).toEqual(['m.Base']);
  const get = definitions.find(({ name }) => name === 'Get');
  expect(get?.signature?.parameters.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'id positional-only',
    'more rest',
  ]);
});

test('uses start at imports and at the types of locals', () => {
  const { uses, imports } = language.extract(source);
  expect(imports.map(({ local, imported, from }) => `${local} ${imported} ${from}`)).toEqual([
    'fmt * fmt',
    'm * example.com/app/model',
    'null ** .',
  ]);
  const told = uses.map(({ kind, root, rootIs, path, call }) =>
    [kind, rootIs === 'instance' ? `(${root})` : root, ...path, call ? call.positional : '-'].join(' '),
  );
  expect(told).toEqual([
    'type m Base -',
    'type User -',
    'type User -',
    'read (User) Name -',
    'type User -',
    'call fmt Println 2',
    'read (User) Nick -',
    'call (User) check 0',
    'call m New 1',
  ]);
});

test('any text gives facts', () => {
  expect(language.extract('').syntaxError).toBeNull();
  expect(language.extract('package store\n\nfunc (').syntaxError).toMatchObject({ line: 3 });
  expect(language.extract('<<<<<<< a\n=======\n').syntaxError).not.toBeNull();
  const huge = `package store\n${'func f() { g(1) }\n'.repeat(1_000)}`;
  expect(language.extract(huge).definitions).toHaveLength(1_000);
});

test('a file with a build constraint is one of several', () => {
  const { definitions } = language.extract('//go:build linux\n\npackage store\n\nfunc Home() {}\n');
  expect(definitions[0]?.conditional).toBe(true);
});
