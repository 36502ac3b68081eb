import { beforeAll, describe, expect, it } from 'vitest';
import { python } from './index.ts';

beforeAll(() => python.prepare());

describe('a Python file', () => {
  it('gives definitions, imports, uses and calls', () => {
    const facts = python.extract(
      [
        'from app.models import User',
        'def greet(user: User, *, loud=False):',
        '    return render(user.name, loud=loud)',
      ].join('\n'),
    );
    expect(facts.syntaxError).toBeNull();
    expect(facts.definitions.map(({ name, kind }) => [name, kind])).toEqual([['greet', 'function']]);
    expect(facts.imports.map(({ local, from }) => [local, from])).toEqual([['User', 'app.models']]);
    expect(facts.uses.map(({ kind, root, rootIs, path }) => [kind, rootIs, root, ...path])).toEqual([
      ['type', 'name', 'User'],
      ['call', 'name', 'render'],
      ['read', 'instance', 'User', 'name'],
    ]);
  });
});
