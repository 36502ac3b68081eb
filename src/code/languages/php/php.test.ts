import { beforeAll, expect, test } from 'vitest';
import { phpEntry } from './index.ts';

const { language } = phpEntry;
beforeAll(() => language.prepare());

const source = `<?php
namespace App\\Http;
use App\\Models\\User;
use App\\Models\\{Post, Tag as Label};
use function App\\slug;

class Service extends Base implements Repo {
  use Loud;
  private User $user;
  public function __construct(private User $owner, int ...$rest) { $this->user = $owner; }
  public function find(User $u, ?string $id = null): ?User {
    $v = new User('a', age: 3);
    return $u->label('a') . $v->name . User::find($id, limit: 2) . $this->user->name;
  }
}
`;

test('definitions have containers, bases and parameters', () => {
  const { definitions, syntaxError } = language.extract(source);
  expect(syntaxError).toBeNull();
  expect(definitions.map(({ kind, container, name }) => `${kind} ${container ?? ''}.${name}`)).toEqual([
    'class .Service',
    'field Service.user',
    'constructor Service.__construct',
    'field Service.owner',
    'method Service.find',
  ]);
  expect(definitions[0]).toMatchObject({ bases: ['Base', 'Loud'], implements: ['Repo'] });
});

test('uses start at imports, at types of locals and at the enclosing class', () => {
  const { uses, imports } = language.extract(source);
  expect(imports.map(({ local, imported, from }) => `${local} ${imported} ${from}`)).toEqual([
    'User User App\\Models\\User',
    'Post Post App\\Models\\Post',
    'Label Tag App\\Models\\Tag',
    'null ** .',
  ]);
  const told = uses.map(({ kind, root, rootIs, path, call }) =>
    [kind, rootIs === 'instance' ? `(${root})` : root, ...path, call ? call.keywords.join() : '-'].join(' '),
  );
  expect(told).toContain('new User age');
  expect(told).toContain('call (User) label ');
  expect(told).toContain('read (User) name -');
  expect(told).toContain('call User find limit');
  expect(told).toContain('read (Service) user name -');
});

test('any text gives facts', () => {
  expect(language.extract('').syntaxError).toBeNull();
  expect(language.extract('<?php class A {').syntaxError).not.toBeNull();
  const huge = `<?php\n${'function f($a) { return g($a); }\n'.repeat(1_000)}`;
  expect(language.extract(huge).definitions).toHaveLength(1_000);
});
