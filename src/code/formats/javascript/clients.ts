import type { ClientCall, FieldUse, TopicUse } from '#code/formats/shared/data-facts.ts';
import { parameter, plainPath } from '#code/formats/shared/route-path.ts';
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
  const path = plainPath(
    `${base}/${written.replace(new RegExp(`^${parameter}(?=/)`), '').replace(/^\.?\//, '')}`,
  );
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

const publishing = /^(?:emit|publish|dispatchEvent|send|trigger|produce|enqueue)$/;
const subscribing = /^(?:on|once|subscribe|addListener|addEventListener|handle|process|consume)$/;
/** Events of the platform, which nobody in the project sends. */
const platform =
  /^(?:error|data|end|close|open|message|connect|connection|disconnect|exit|click|change|input|submit|load|unload|keydown|keyup|scroll|resize|finish|drain|ready|listening|request|response|upgrade|SIG\w+|uncaughtException|unhandledRejection)$/;

/** `bus.emit('paid', { orderId })`, `bus.on('paid', (event) => event.orderId)`, `{ type: 'paid', payload: { … } }`. */
export function topicUse(each: Node, lineOf: LineOf): TopicUse[] {
  if (each.type === 'ObjectExpression') return reduxAction(each, lineOf);
  if (each.type !== 'CallExpression') return [];
  const name = memberPath(each.callee)?.at(-1) ?? '';
  const [first, second] = nodes(each.arguments);
  const topic = literal(first);
  if (
    topic === null ||
    topic === '' ||
    platform.test(topic) ||
    node(each.callee)?.type !== 'MemberExpression'
  )
    return [];
  const line = lineOf(each.start);
  if (publishing.test(name)) {
    const sent = objectKeys(second);
    if (!sent) return [];
    const open = sent.isOpen ? { open: true as const } : {};
    return [{ role: 'publishes', topic, keys: [...sent.keys.keys()].sort(), ...open, line }];
  }
  if (!subscribing.test(name) || !isFunction(second)) return [];
  const keys = keysRead(second);
  return keys.length === 0 ? [] : [{ role: 'subscribes', topic, keys, line }];
}

/** Queues by variable: `const mails = new Queue('mails')`. */
export type Queues = Map<string, string>;

export function noteQueue(each: Node, queues: Queues): void {
  if (each.type !== 'VariableDeclarator') return;
  const made = node(each.init);
  if (made?.type !== 'NewExpression' || memberPath(made.callee)?.at(-1) !== 'Queue') return;
  const topic = literal(nodes(made.arguments)[0]);
  if (topic !== null) queues.set(String(node(each.id)?.name), topic);
}

/** Jobs of BullMQ and Bull: `mails.add('welcome', { userId })`, `new Worker('mails', (job) => job.data.userId)`, `mails.process((job) => …)`. */
export function jobUse(each: Node, queues: Queues, lineOf: LineOf): TopicUse[] {
  const path = memberPath(each.callee);
  const args = nodes(each.arguments);
  const line = lineOf(each.start);
  if (each.type === 'NewExpression') {
    const topic = path?.at(-1) === 'Worker' ? literal(args[0]) : null;
    return topic === null ? [] : worker(topic, args[1], line);
  }
  const topic = path && path.length >= 2 ? queues.get(path.at(-2) ?? '') : undefined;
  if (topic === undefined) return [];
  if (path?.at(-1) === 'process') return worker(topic, args.at(-1), line);
  if (path?.at(-1) !== 'add') return [];
  const sent = objectKeys(literal(args[0]) === null ? args[0] : args[1]);
  if (!sent) return [];
  const open = sent.isOpen ? { open: true as const } : {};
  return [{ role: 'publishes', topic: `queue ${topic}`, keys: [...sent.keys.keys()].sort(), ...open, line }];
}

/** What it reads from `job.data`. */
function worker(topic: string, listener: Node | undefined, line: number): TopicUse[] {
  const job = isFunction(listener) ? node(nodes(listener.params)[0]) : null;
  if (!listener || job?.type !== 'Identifier') return [];
  const keys = new Set<string>();
  walk(listener, (each) => {
    const path = each.type === 'MemberExpression' ? memberPath(each) : null;
    if (path && path[0] === job.name && path[1] === 'data' && path[2] !== undefined) keys.add(path[2]);
    const init = each.type === 'VariableDeclarator' ? memberPath(each.init)?.join('.') : null;
    if (init === `${job.name}.data`)
      for (const property of nodes(node(each.id)?.properties)) {
        const name = keyName(property);
        if (name !== null) keys.add(name);
      }
  });
  return keys.size === 0
    ? []
    : [{ role: 'subscribes', topic: `queue ${topic}`, keys: [...keys].sort(), line }];
}

/** `{ type: 'cart/paid', payload: { orderId } }`. */
function reduxAction(each: Node, lineOf: LineOf): TopicUse[] {
  const action = objectKeys(each);
  const type = literal(action?.keys.get('type'));
  const payload = objectKeys(action?.keys.get('payload'));
  if (!action || type === null || !payload) return [];
  return [
    {
      role: 'publishes',
      topic: type,
      keys: [...payload.keys.keys()].sort(),
      ...(payload.isOpen ? { open: true as const } : {}),
      line: lineOf(each.start),
    },
  ];
}

/** `case 'cart/paid': … action.payload.orderId`. */
export function reduxCase(each: Node, lineOf: LineOf): TopicUse[] {
  const topic = each.type === 'SwitchCase' ? literal(each.test) : null;
  if (topic === null) return [];
  const keys = new Set<string>();
  walk(each, (part) => {
    const path = part.type === 'MemberExpression' ? memberPath(part) : null;
    const at = path?.indexOf('payload') ?? -1;
    const key = at > 0 ? path?.[at + 1] : undefined;
    if (key !== undefined) keys.add(key);
  });
  return keys.size === 0
    ? []
    : [{ role: 'subscribes', topic, keys: [...keys].sort(), line: lineOf(each.start) }];
}

/** Keys that a function reads from its first parameter. */
function keysRead(listener: Node): string[] {
  const [parameter_] = nodes(listener.params);
  const keys = new Set<string>();
  if (parameter_?.type === 'ObjectPattern') {
    for (const property of nodes(parameter_.properties)) {
      const name = keyName(property);
      if (name !== null) keys.add(name);
    }
  } else if (parameter_?.type === 'Identifier') {
    const own = String(parameter_.name);
    walk(listener, (each) => {
      const path = each.type === 'MemberExpression' ? memberPath(each) : null;
      if (path?.[0] === own && path[1] !== undefined) keys.add(path[1]);
    });
  }
  return [...keys].sort();
}
