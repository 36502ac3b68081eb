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
    'type User -',
    'read (User) Name -',
    'call fmt Println 2',
    'read (User) Nick -',
    'call (User) check 0',
    'call m New 1',
  ]);
});

const values = `package store

func (s *Server) Count(ids ...Key) (int, error) {
	users, err := s.repo.List(m.All)
	for _, user := range users {
		user.Touch()
	}
	user := users[0].Owner
	if user, ok := s.cache.Get(ids[0].Text).(*User); ok {
		user.Save()
	}
	user.Close()
	each(func(user Admin) { user.Ban() }, &memory{})
	return len(users), err
}

type memory struct{}

var _ = []User{{Name: "a"}, {Nick: name}}
var _ = []struct{ name string }{{name: "b"}}
`;

test('members are followed from results, elements, assertions and range variables', () => {
  const { uses } = language.extract(values);
  const told = uses
    .filter(({ rootIs }) => rootIs === 'instance')
    .map(({ root, path }) => `(${root}) ${path.join('.')}`);
  expect(told).toEqual([
    '(Server) repo.List',
    '(Server.repo.(held).List.(#0[])) Touch',
    '(Server.repo.(held).List.(#0[])) Owner',
    '(Server) cache.Get',
    '(Key) Text',
    '(User) Save',
    '(Server.repo.(held).List.(#0[]).Owner.(held)) Close',
    '(Admin) Ban',
    '(User) Name',
    '(User) Nick',
  ]);
  expect(uses.filter(({ root }) => root === 'name')).toHaveLength(1);
});

test('a call says how many results are taken', () => {
  const { uses } = language.extract(values);
  const taken = uses.flatMap(({ path, call }) => (call ? [`${path.at(-1) ?? ''} ${call.unpacked}`] : []));
  expect(taken).toEqual(['List 2', 'Touch null', 'Get 1', 'Save null', 'Close null', ' null', 'Ban null']);
});

test('a struct must fit what its literals are given to', () => {
  const { definitions } = language.extract(values);
  expect(definitions.find(({ name }) => name === 'memory')?.implements).toEqual(['each.(=1)']);
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
