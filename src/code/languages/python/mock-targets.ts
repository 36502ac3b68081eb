import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { dottedName, stringValue } from './expressions.ts';

/** What a test replaces while it runs. Mock libraries fail when it does not exist. */
export type MockTarget =
  /** `patch('app.mail.send')`: a path through the modules of the project. */
  | { readonly is: 'text'; readonly at: NodeId; readonly parts: readonly string[] }
  /** `patch.object(mail, 'send')`: a member of the object that a name refers to. */
  | { readonly is: 'member'; readonly at: NodeId; readonly name: string };

const dotted = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
/** Matches the end of the callee: `mock.patch`, `mocker.patch.object`, `monkeypatch.setattr`. */
const callee =
  /(?:^|\.)(?:patch|patch\.(object|multiple|dict)|(monkeypatch\.(?:setattr|delattr)|mocker\.spy))$/;
/** Arguments of `patch.multiple` that are not members. */
const options = new Set(['spec', 'create', 'spec_set', 'autospec', 'new_callable']);

export function mockTargets(tree: SyntaxTree, call: NodeId): MockTarget[] {
  const name = dottedName(tree, tree.child(call, 'function'))?.join('.') ?? '';
  const form = callee.exec(name);
  if (form === null) return [];
  const given = tree.children(tree.child(call, 'arguments'));
  const keywords = given.filter((argument) => tree.kind(argument) === 'keyword_argument');
  if (keywords.some((argument) => mayBeMissing(tree, argument))) return [];
  const [first = none, second = none] = given;
  const [, method, setter] = form;
  const isObject = method === 'object' || setter !== undefined;
  const member = isObject && second !== none ? stringValue(tree, second) : null;
  if (member !== null && /^\w+$/.test(member) && tree.kind(first) !== 'string')
    return [{ is: 'member', at: first, name: member }];
  const text = first === none || method === 'object' ? null : stringValue(tree, first);
  if (text === null || !dotted.test(text)) return [];
  const parts = text.split('.');
  const whole: MockTarget = { is: 'text', at: first, parts };
  if (method !== 'multiple') return [whole];
  const members = keywords.flatMap((argument) => {
    const key = tree.textOf(tree.child(argument, 'name'));
    return options.has(key) ? [] : [{ is: 'text' as const, at: argument, parts: [...parts, key] }];
  });
  return [whole, ...members];
}

/** `create=True` of mock, `raising=False` of pytest. */
function mayBeMissing(tree: SyntaxTree, argument: NodeId): boolean {
  const name = tree.textOf(tree.child(argument, 'name'));
  const value = tree.textOf(tree.child(argument, 'value'));
  return (name === 'create' && value !== 'False') || (name === 'raising' && value !== 'True');
}
