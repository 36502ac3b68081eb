import type { ClientCall, FieldUse } from '#code/formats/shared/data-facts.ts';
import { joinPaths, parameter, plainPath } from '#code/formats/shared/route-path.ts';
import {
  isFunction,
  keyName,
  literal,
  memberPath,
  type Node,
  node,
  nodes,
  objectKeys,
  textWith,
  walk,
} from './estree.ts';

type LineOf = (offset: number) => number;

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head']);

/** Clients with an address of their own: `const api = axios.create({ baseURL: '/api' })`. */
export type Clients = Map<string, string>;

export function noteClient(each: Node, clients: Clients): void {
  if (each.type !== 'VariableDeclarator') return;
  const call = node(each.init);
  if (call?.type !== 'CallExpression') return;
  const maker = memberPath(call.callee)?.join('.') ?? '';
  if (!/^(?:axios|ky|got|ofetch)\.(?:create|extend)$/.test(maker)) return;
  const settings = objectKeys(nodes(call.arguments)[0]);
  const base =
    settings?.keys.get('baseURL') ?? settings?.keys.get('prefixUrl') ?? settings?.keys.get('prefix');
  clients.set(String(node(each.id)?.name), base ? (textWith(base, '') ?? '') : '');
}

/** `fetch('/users')`, `axios.post('/orders', { items })`, `ky.get('users')`. */
export function clientCall(each: Node, clients: Clients, lineOf: LineOf): ClientCall[] {
  if (each.type !== 'CallExpression') return [];
  const path = memberPath(each.callee);
  const [target, second] = nodes(each.arguments);
  if (!path) return [];
  const [root = '', verb] = path;
  const line = lineOf(each.start);
  if (path.length === 1 && /^(?:fetch|ofetch|\$fetch)$/.test(root)) {
    const options = objectKeys(second);
    const method = literal(options?.keys.get('method')) ?? 'GET';
    return called(
      root,
      options && !literal(options.keys.get('method')) && options.keys.has('method') ? null : method,
      target,
      bodyOf(options?.keys.get('body')),
      '',
      line,
    );
  }
  const isClient = /^(?:axios|ky|got)$/.test(root) || clients.has(root);
  if (!isClient) return [];
  const base = clients.get(root) ?? '';
  if (path.length === 1) {
    const options = objectKeys(target);
    const url = options?.keys.get('url');
    return url
      ? called(
          root,
          literal(options?.keys.get('method')) ?? 'GET',
          url,
          bodyOf(options?.keys.get('data')),
          base,
          line,
        )
      : [];
  }
  if (!verb || !verbs.has(verb)) return [];
  const isKy = root === 'ky' || root === 'got';
  const sent = isKy ? objectKeys(second)?.keys.get('json') : second;
  return called(root, verb, target, verb === 'get' || verb === 'delete' ? [] : bodyOf(sent), base, line);
}

function called(
  client: string,
  method: string | null,
  target: unknown,
  body: readonly string[] | null,
  base: string,
  line: number,
): ClientCall[] {
  const written = textWith(target, parameter);
  if (written === null || method === null) return [];
  // What a template begins with is the address of a server.
  const own = plainPath(written.replace(new RegExp(`^${parameter}(?=/)`), '').replace(/^\.?\//, ''));
  const path = joinPaths(base, own);
  if (/^https?:/.test(written) && !/^https?:\/\/(?:localhost|127\.)/.test(written)) return [];
  return [{ client, method: method.toUpperCase(), path, body, line }];
}

/** Keys of `JSON.stringify({ a, b })` or of an object; null when they are not all written out. */
function bodyOf(value: unknown): string[] | null {
  const each = node(value);
  if (!each) return [];
  const object =
    each.type === 'CallExpression' && memberPath(each.callee)?.join('.') === 'JSON.stringify'
      ? nodes(each.arguments)[0]
      : each;
  const keys = objectKeys(object);
  return keys && !keys.isOpen ? [...keys.keys.keys()].sort() : null;
}

/** Fields that are read from the answer of a call, in the function that makes it. */
export function answerUses(scope: Node, clients: Clients, lineOf: LineOf): FieldUse[] {
  if (!isFunction(scope)) return [];
  const answers = new Map<string, string>();
  const found: FieldUse[] = [];
  walk(scope, (each) => {
    if (each.type === 'VariableDeclarator') {
      const route = routeBehind(node(each.init), clients, answers, lineOf);
      const target = node(each.id);
      if (!route || !target) return;
      if (target.type === 'Identifier') answers.set(String(target.name), route);
      else if (target.type === 'ObjectPattern')
        for (const property of nodes(target.properties)) {
          const name = keyName(property);
          if (name === 'data') answers.set(String(node(property.value)?.name), route);
          else if (name !== null) found.push(use(route, name, lineOf(property.start)));
        }
    }
    const path = each.type === 'MemberExpression' ? memberPath(each) : null;
    const [root = '', ...rest] = path ?? [];
    const route = answers.get(root);
    const [name] = rest[0] === 'data' ? rest.slice(1) : rest;
    if (route && name && !/^(?:json|text|ok|status|headers|body|then|map|filter|length)$/.test(name))
      found.push(use(route, name, lineOf(each.start)));
  });
  return found;
}

function use(route: string, name: string, line: number): FieldUse {
  return { kind: 'route', of: route, name, via: 'a client', line };
}

/** The route whose answer a value is: `await fetch(…)`, `await answer.json()`. */
function routeBehind(
  value: Node | null,
  clients: Clients,
  answers: ReadonlyMap<string, string>,
  lineOf: LineOf,
): string | null {
  let each = value;
  for (;;) {
    if (each?.type === 'AwaitExpression') each = node(each.argument);
    else if (each?.type === 'TSAsExpression') each = node(each.expression);
    else break;
  }
  if (each?.type !== 'CallExpression') return null;
  const [call] = clientCall(each, clients, lineOf);
  if (call) return `${call.method} ${call.path}`;
  const callee = node(each.callee);
  if (callee?.type !== 'MemberExpression' || node(callee.property)?.name !== 'json') return null;
  const object = node(callee.object);
  const known = object?.type === 'Identifier' ? answers.get(String(object.name)) : undefined;
  return known ?? routeBehind(object, clients, answers, lineOf);
}
