import { statedName } from '#contract/judge/signature.ts';
import { type Contract, stubMark } from '#schema/contract.ts';
import type { Stubs } from './stubs.ts';

type Entity = Contract['entities'][number];

/** `contract_types.py` contains the agreed shapes; `test_contract.py` fails when the code breaks them. */
export function pythonStubs(contract: Contract, digest: string): Stubs {
  const usable = contract.entities.filter((entity) => reasonAgainst(entity) === null);
  const head = `# ${stubMark} ${digest.slice(0, 16)}. Do not edit: ask for a change of the contract.`;
  return {
    files: new Map([
      ['contract_types.py', typesOf(head, usable)],
      ['test_contract.py', testOf(head, usable)],
    ]),
    skipped: contract.entities.flatMap((entity) => {
      const reason = reasonAgainst(entity);
      return reason === null ? [] : [{ name: entity.name, reason }];
    }),
  };
}

function reasonAgainst({ type, path, name }: Entity): string | null {
  if (type !== 'type' && type !== 'function' && type !== 'database') return `a ${type} has no type in Python`;
  if (path === undefined || !path.endsWith('.py')) return 'it is in no Python file';
  return /^[A-Za-z_]\w*$/.test(name) ? null : 'its name is not valid in Python';
}

function typesOf(head: string, entities: readonly Entity[]): string {
  const blocks = entities.map(({ name, type, keyFields, function: written }) => {
    if (type === 'function') {
      const { parameters } = statedName(written ?? name);
      const list = parameters?.map((each) => each.name.replace(/^\.\.\./, '*')) ?? [];
      return `class ${name}(Protocol):\n    def __call__(self${list.map((each) => `, ${each}`).join('')}) -> Any: ...\n`;
    }
    const rows = keyFields.map((field) => `    ${statedName(field).name}: Any`);
    return `class ${name}(Protocol):\n${rows.length > 0 ? rows.join('\n') : '    pass'}\n`;
  });
  return [head, 'from typing import Any, Protocol', '', '', blocks.join('\n\n')].join('\n');
}

function testOf(head: string, entities: readonly Entity[]): string {
  const tests = entities.map(({ name, type, path = '', keyFields, function: written }) => {
    const module = path.replace(/(?:\/__init__)?\.py$/, '').replaceAll('/', '.');
    const stated = statedName(written ?? name);
    const isWhole = type === 'function' && stated.parameters !== null;
    const wanted =
      type === 'function' && stated.parameters
        ? stated.parameters.map((each) => each.name.replace(/^(?:\.\.\.|\*+)/, ''))
        : keyFields.map((field) => statedName(field).name);
    const list = `[${wanted.map((each) => JSON.stringify(each)).join(', ')}]`;
    return [
      `    def test_${snake(name)}(self):`,
      `        found = attrgetter(${JSON.stringify(type === 'function' ? stated.name : name)})(import_module(${JSON.stringify(module)}))`,
      isWhole
        ? `        self.assertEqual(parameters_of(found, ${list}), ${list})`
        : `        self.assertEqual(missing(names_of(found), ${list}), [])`,
    ].join('\n');
  });
  return `${head}
import inspect
import unittest
from importlib import import_module
from operator import attrgetter


def parameters_of(found, agreed):
    """The agreed parameters in the order of the code, with every other one that a caller has to give."""
    own = inspect.signature(found).parameters.values()
    return [
        each.name
        for each in own
        if each.name in agreed
        or (
            each.default is each.empty
            and each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)
            and each.name not in ("self", "cls")
        )
    ]


def names_of(found):
    names = set(dir(found))
    for each in getattr(found, "__mro__", ()):
        names.update(getattr(each, "__annotations__", {}))
    try:
        names.update(inspect.signature(found).parameters)
    except (TypeError, ValueError):
        pass
    return sorted(names)


def missing(found, agreed):
    return [name for name in agreed if name not in found]


class ContractTest(unittest.TestCase):
${tests.length > 0 ? tests.join('\n\n') : '    pass'}


if __name__ == "__main__":
    unittest.main()
`;
}

function snake(name: string): string {
  return name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
