import { beforeAll, expect, test } from 'vitest';
import { rustEntry } from './index.ts';

const { language } = rustEntry;
beforeAll(() => language.prepare());

const source = `use crate::store::{User, find as lookup, self};
use super::model::*;
pub use crate::text::slug;
pub mod inner;

pub struct Memory { pub rows: Vec<User> }

impl Repo for Memory {
    fn get(&self, id: &str) -> String { id.to_string() }
}

impl Memory {
    pub fn new(size: u32) -> Self { Memory { rows: Vec::new() } }
}

pub fn run(user: &User) -> u32 {
    lookup(1);
    store::find(2);
    user.label("a")
}
`;

/** `call (User) label 1`: a method of a `User` with one argument. */
function toldBy(text: string): string[] {
  return language
    .extract(text)
    .uses.map(({ kind, root, rootIs, path, call }) =>
      [kind, rootIs === 'instance' ? `(${root})` : root, ...path, call ? call.positional : '-'].join(' '),
    );
}

test('definitions have containers, traits and parameters', () => {
  const { definitions, syntaxError, opaque } = language.extract(source);
  expect(syntaxError).toBeNull();
  expect(opaque).toEqual([]);
  expect(definitions.map(({ kind, container, name }) => `${kind} ${container ?? ''}.${name}`)).toEqual([
    'class .Memory',
    'field Memory.rows',
    'method Memory.get',
    'method Memory.new',
    'function .run',
  ]);
  expect(definitions[0]?.implements).toEqual(['Repo']);
  expect(definitions.map((definition) => definition.static)).toEqual([false, false, false, true, true]);
});

test('paths of imports are split', () => {
  const { imports, exports } = language.extract(source);
  expect(imports.map(({ local, imported, from }) => `${local} ${imported} ${from}`)).toEqual([
    'User User crate::store',
    'lookup find crate::store',
    'store * crate::store',
    'null ** super::model',
    'slug slug crate::text',
    'inner * self::inner',
    'crate * crate',
    'super * super',
  ]);
  expect(exports.map(({ name, from }) => `${name} ${from}`)).toEqual(['slug crate::text']);
});

test('paths that no import binds start with a crate', () => {
  const { imports } = language.extract(
    'use std::fs;\nmod local;\nfn f() -> i64 { fs::read("a"); local::run(); shop_core::total(i64::MAX) }\n',
  );
  expect(imports.map(({ local, from }) => `${local} ${from}`)).toEqual([
    'fs std',
    'local self::local',
    'crate crate',
    'shop_core shop_core',
  ]);
});

test('modules are where attributes and enclosing modules put them', () => {
  const { imports } = language.extract(
    '#[cfg(test)]\n#[path = "checks/a.rs"]\nmod a;\nmod outer {\n    mod deep;\n}\n#[cfg_attr(unix, path = "unix.rs")]\nmod system;\n',
  );
  expect(imports.slice(0, 2).map(({ local, from }) => `${local} ${from}`)).toEqual([
    'a ./checks/a.rs',
    'deep self::outer::deep',
  ]);
  expect(imports.some(({ local }) => local === 'system')).toBe(false);
});

test('uses start at imports and at the types of parameters', () => {
  const told = toldBy(source);
  expect(told).toContain('call lookup 1');
  expect(told).toContain('call store find 1');
  expect(told).toContain('call (User) label 1');
  expect(told).toContain('read (Memory) rows -');
});

test('values have the types that names tell', () => {
  const told = toldBy(`struct Shop { users: Vec<User>, store: Store }
impl Shop {
    fn run(&self, found: Option<User>, name: &str) -> Result<(), String> {
        self.store.open(name);
        let user = self.store.find(name)?;
        user.save();
        for each in self.users.iter() { each.save(); }
        if let Some(user) = found { user.save(); } else { found.is_some(); }
        let made = User::new(name).clone();
        made.name.len();
        Self::check(1);
        self.store.all().first().unwrap().save();
        Ok(())
    }
}
`);
  expect(told).toContain('call (Shop) store open 1');
  expect(told).toContain('call (Shop.store.(held).find.(?)) save 0');
  expect(told).toContain('call (Shop.users.[]) save 0');
  expect(told).toContain('call (User) save 0');
  expect(told.some((use) => use.includes('is_some'))).toBe(false);
  expect(told).toContain('call (User.new.()) name len 0');
  expect(told).toContain('call Shop check 1');
  expect(told).toContain('call (Shop.store.(held).all.(?)) save 0');
});

test('types of a function, type parameters and closures hide those of the file', () => {
  expect(
    toldBy('fn f<T>(a: T) { struct User; let user = User::new(); user.save(); a.save(); }'),
  ).not.toContain('call (User.new.()) save 0');
  expect(toldBy('fn f() { let make = || 1; let made = make(); made.save(); }')).toEqual([]);
});

test('a literal names its fields, and a match its variants', () => {
  const { uses, switches } = language.extract(
    'fn f(k: Kind) { User { name, age: 1 }; User { age: 1, ..base }; match k { Kind::A => 1, Kind::B(_) | Kind::C { .. } => 2 }; match k { Kind::A => 1, other => 2 }; match k { 1 => 1, _ => 2 } }',
  );
  expect(uses.filter(({ kind }) => kind === 'new').map(({ call }) => call)).toMatchObject([
    { keywords: ['name', 'age'], keywordSpread: false },
    { keywords: ['age'], keywordSpread: true },
    { keywords: [], keywordSpread: true },
  ]);
  expect(switches.map(({ cases, hasDefault }) => [...cases, hasDefault])).toEqual([
    ['Kind.A', 'Kind.B', 'Kind.C', false],
    ['Kind.A', true],
  ]);
});

test('a long chain takes no time', () => {
  const chain = `fn f(a: A) { a${'.b()'.repeat(3_000)}; }`;
  expect(language.extract(chain).syntaxError).toBeNull();
});

test('any text gives facts', () => {
  expect(language.extract('').syntaxError).toBeNull();
  expect(language.extract('fn f( {').syntaxError).not.toBeNull();
  expect(language.extract('lazy_static! { static ref A: u32 = 1; }\n').opaque).toEqual([
    'a macro at the top',
  ]);
  expect(language.extract('fn f() { g(1); }\n'.repeat(1_000)).definitions).toHaveLength(1_000);
});
