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
import { prismaModel } from './orm-uses.ts';

type LineOf = (offset: number) => number;

const verbs = new Set(['get', 'post', 'put', 'patch', 'delete', 'head']);

/** Clients with a base address: `const api = axios.create({ baseURL: '/api' })`. */
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
  // A value at the start of a template is the address of a server.
  const own = plainPath(written.replace(new RegExp(`^${parameter}(?=/)`), '').replace(/^\.?\//, ''));
  const path = joinPaths(base, own);
  if (/^https?:/.test(written) && !/^https?:\/\/(?:localhost|127\.)/.test(written)) return [];
  return [{ client, method: method.toUpperCase(), path, body, line }];
}

/** Keys of `JSON.stringify({ a, b })` or of an object; null when not all are listed. */
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

/** Where an answer came from: a route, or a query of a model. */
type Source = Pick<FieldUse, 'kind' | 'of' | 'via'>;

/** Methods that pass the answer, or one of its items, to a function. */
const handsOver = /^(?:then|map|flatMap|filter|find|findLast|forEach|some|every)$/;
/** Members of responses and lists, not of the requested data. */
const notFields =
  /^(?:json|text|ok|status|headers|body|catch|finally|length|at|slice|sort|toSorted|reduce|push)$/;
/** Methods that return the answer or a part of it. */
const keepsAnswer = /^(?:json|then|catch|finally|filter|slice|sort|toSorted|find|at)$/;

/** Fields that are read from answers of servers and of Prisma, in the function that makes the request. */
export function answerUses(scope: Node, clients: Clients, lineOf: LineOf): FieldUse[] {
  if (!isFunction(scope)) return [];
  const answers = new Map<string, Source>();
  const found: FieldUse[] = [];
  const name = (target: Node | null | undefined, source: Source) => {
    if (target?.type === 'Identifier') answers.set(String(target.name), source);
    else if (target?.type === 'ObjectPattern')
      for (const property of nodes(target.properties)) {
        const key = keyName(property);
        if (key === 'data') answers.set(String(node(property.value)?.name), source);
        else if (key !== null) found.push({ ...source, name: key, line: lineOf(property.start) });
      }
  };
  const behind = (value: Node | null) => sourceBehind(value, clients, answers, lineOf);
  walk(scope, (each) => {
    switch (each.type) {
      case 'VariableDeclarator': {
        const source = behind(node(each.init));
        if (source) name(node(each.id), source);
        return;
      }
      case 'ForOfStatement': {
        const source = behind(node(each.right));
        const [item] = nodes(node(each.left)?.declarations);
        if (source) name(node(item?.id), source);
        return;
      }
      case 'CallExpression': {
        const callee = node(each.callee);
        const [callback] = nodes(each.arguments);
        if (!isFunction(callback) || !handsOver.test(String(node(callee?.property)?.name))) return;
        const source = behind(node(callee?.object));
        if (source) name(nodes(callback.params)[0], source);
        return;
      }
      case 'MemberExpression': {
        const read = node(each.property)?.name;
        const source = each.computed === true ? null : behind(node(each.object));
        if (!source || typeof read !== 'string' || notFields.test(read) || handsOver.test(read)) return;
        if (read !== 'data' || source.kind !== 'route')
          found.push({ ...source, name: read, line: lineOf(each.end - read.length) });
      }
    }
  });
  return found;
}

/** The source of a value: `await fetch(…)`, `await answer.json()`, `answer.data`, `users[0]`, `await prisma.user.findFirst(…)`. */
function sourceBehind(
  value: Node | null,
  clients: Clients,
  answers: ReadonlyMap<string, Source>,
  lineOf: LineOf,
): Source | null {
  let each = value;
  for (;;) {
    if (each?.type === 'AwaitExpression') each = node(each.argument);
    else if (/^(?:TSAsExpression|TSNonNullExpression|ChainExpression)$/.test(each?.type ?? ''))
      each = node(each?.expression);
    else if (each?.type === 'MemberExpression' && (each.computed === true || isData(each)))
      each = node(each.object);
    else break;
  }
  if (each?.type === 'Identifier') return answers.get(String(each.name)) ?? null;
  if (each?.type !== 'CallExpression') return null;
  const [call] = clientCall(each, clients, lineOf);
  if (call) return { kind: 'route', of: `${call.method} ${call.path}`, via: 'a client' };
  const model = prismaModel(each);
  if (model !== null) return { kind: 'entity', of: model, via: 'what Prisma answers' };
  const callee = node(each.callee);
  return callee?.type === 'MemberExpression' && keepsAnswer.test(String(node(callee.property)?.name))
    ? sourceBehind(node(callee.object), clients, answers, lineOf)
    : null;
}

/** `answer.data`: where axios puts the answer. */
function isData(member: Node): boolean {
  return node(member.property)?.name === 'data';
}
