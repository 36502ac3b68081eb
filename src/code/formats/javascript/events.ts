import type { TopicUse } from '#code/formats/shared/data-facts.ts';
import {
  decorators,
  isFunction,
  keyName,
  literal,
  memberPath,
  type Node,
  node,
  nodes,
  objectKeys,
  walk,
} from './estree.ts';

type LineOf = (offset: number) => number;

/** The channels that a file sends to and reads from, by variable. */
export interface Channels {
  /** `const mails = new Queue('mails')`, `@InjectQueue('mails') private mails: Queue`. */
  readonly queues: Map<string, string>;
  /** `consumer.subscribe({ topics: ['orders'] })`. */
  readonly consumed: Map<string, string[]>;
  /** `channel.bindQueue('mails', 'shop', 'order.paid')`: the messages that arrive in a queue. */
  readonly bound: Map<string, string>;
  /** `const paid = createAction('cart/paid')`. */
  readonly actions: Map<string, string>;
}

export function noChannels(): Channels {
  return { queues: new Map(), consumed: new Map(), bound: new Map(), actions: new Map() };
}

/** Notes queues, topics of consumers, and action creators. */
export function noteChannel(each: Node, channels: Channels): void {
  if (each.type === 'VariableDeclarator') noteMade(each, channels);
  else if (each.type === 'ClassDeclaration') noteInjected(each, channels);
  else if (each.type === 'CallExpression') noteSubscribed(each, channels);
}

function noteMade(each: Node, { queues, actions }: Channels): void {
  const made = node(each.init);
  const maker = memberPath(made?.callee)?.at(-1);
  const topic = literal(nodes(made?.arguments)[0]);
  if (topic === null) return;
  const name = String(node(each.id)?.name);
  if (made?.type === 'NewExpression' && maker === 'Queue') queues.set(name, topic);
  if (made?.type === 'CallExpression' && maker === 'createAction') actions.set(name, topic);
}

function noteInjected(each: Node, { queues }: Channels): void {
  for (const member of nodes(node(each.body)?.body)) {
    const injected = member.kind === 'constructor' ? nodes(node(member.value)?.params) : [member];
    for (const owner of injected) {
      const [, args] = decorators(owner).find(([name]) => name === 'InjectQueue') ?? [];
      const topic = literal(args?.[0]);
      const named = node(owner.parameter) ?? node(owner.key) ?? owner;
      if (topic !== null) queues.set(String(named.name), topic);
    }
  }
}

function noteSubscribed(each: Node, { consumed, bound }: Channels): void {
  const path = memberPath(each.callee) ?? [];
  const args = nodes(each.arguments);
  if (path.at(-1) === 'bindQueue') {
    const [queue, , key] = args.map(literal);
    if (queue && key) bound.set(queue, key);
  }
  const settings = path.at(-1) === 'subscribe' ? objectKeys(args[0])?.keys : undefined;
  const listed = settings?.get('topics');
  const topics = [settings?.get('topic'), ...nodes(listed?.elements)].flatMap((one) => literal(one) ?? []);
  const owner = path.at(-2) ?? '';
  if (topics.length > 0) consumed.set(owner, [...(consumed.get(owner) ?? []), ...topics]);
}

/** The topics that a node publishes or subscribes to. */
export function topicUses(each: Node, channels: Channels, lineOf: LineOf): TopicUse[] {
  switch (each.type) {
    case 'ObjectExpression':
      return reduxAction(each, lineOf);
    case 'SwitchCase':
      return literal(each.test) === null
        ? []
        : subscribed(literal(each.test), keysOf(each, isPayloadOf()), lineOf(each.start));
    case 'NewExpression':
      return memberPath(each.callee)?.at(-1) === 'Worker' ? worker(each, lineOf(each.start)) : [];
    case 'ClassDeclaration':
      return decoratedListeners(each, lineOf);
    case 'CallExpression':
      return [...ofBroker(each, channels, lineOf(each.start)), ...ofRedux(each, channels, lineOf)];
    default:
      return [];
  }
}

const publishing = /^(?:emit|publish|dispatchEvent|send|trigger|produce|enqueue)$/;
const subscribing = /^(?:on|once|subscribe|addListener|addEventListener|handle|process)$/;
/** Events of the platform, which no code of the project sends. */
const platform =
  /^(?:error|data|end|close|open|message|connect|connection|disconnect|exit|click|change|input|submit|load|unload|keydown|keyup|scroll|resize|finish|drain|ready|listening|request|response|upgrade|SIG\w+|uncaughtException|unhandledRejection)$/;

/** Emitters, BullMQ, RabbitMQ and Kafka. */
function ofBroker(each: Node, { queues, consumed, bound }: Channels, line: number): TopicUse[] {
  const path = memberPath(each.callee) ?? [];
  const [first, second, third] = nodes(each.arguments);
  const [owner = '', method = ''] = path.slice(-2);
  if (node(each.callee)?.type !== 'MemberExpression') return [];
  const queue = queues.get(owner);
  if (queue !== undefined) {
    if (method === 'process') return worker(each, line, queue);
    if (method === 'add')
      return published(`queue ${queue}`, sentKeys(literal(first) === null ? first : second), line);
  }
  // Kafka: `producer.send({ topic, messages: [{ value: JSON.stringify({ … }) }] })`.
  const settings = objectKeys(first)?.keys;
  if (method === 'send' && settings)
    return nodes(settings.get('messages')?.elements).flatMap((message) =>
      published(literal(settings.get('topic')), sentKeys(objectKeys(message)?.keys.get('value')), line),
    );
  if (method === 'run' && settings) {
    const [topic = null, ...more] = consumed.get(owner) ?? [];
    const listener = settings.get('eachMessage');
    // Keys that a listener of several topics reads may belong to any of them.
    return more.length === 0 && isFunction(listener)
      ? subscribed(topic, keysOf(listener, isParsed), line)
      : [];
  }
  const topic = literal(first);
  if (topic === null || topic === '' || platform.test(topic)) return [];
  if (method === 'sendToQueue') return published(`queue ${topic}`, sentKeys(second), line);
  if (method === 'consume')
    return isFunction(second)
      ? subscribed(bound.get(topic) ?? `queue ${topic}`, keysOf(second, isParsed), line)
      : [];
  // RabbitMQ: `channel.publish('exchange', 'routing.key', body)`.
  if (method === 'publish' && literal(second)) return published(literal(second), sentKeys(third), line);
  if (publishing.test(method)) return published(topic, sentKeys(second), line);
  return subscribing.test(method) && isFunction(second)
    ? subscribed(topic, keysOfParameter(second, 0), line)
    : [];
}

type Sent = ReturnType<typeof objectKeys>;

/** Keys of an object, even if it is sent as text: `Buffer.from(JSON.stringify({ a }))`. */
function sentKeys(value: Node | undefined): Sent {
  const called = value?.type === 'CallExpression' ? memberPath(value.callee)?.join('.') : undefined;
  return called === 'JSON.stringify' || called === 'Buffer.from'
    ? sentKeys(nodes(value?.arguments)[0])
    : objectKeys(value);
}

function published(topic: string | null, sent: Sent, line: number): TopicUse[] {
  if (topic === null || !sent) return [];
  const open = sent.isOpen ? { open: true as const } : {};
  return [{ role: 'publishes', topic, keys: [...sent.keys.keys()].sort(), ...open, line }];
}

function subscribed(topic: string | null, keys: readonly string[], line: number): TopicUse[] {
  return topic === null || keys.length === 0 ? [] : [{ role: 'subscribes', topic, keys, line }];
}

/** `new Worker('mails', (job) => job.data.userId)`, `mails.process((job) => …)`. */
function worker(each: Node, line: number, queue?: string): TopicUse[] {
  const args = nodes(each.arguments);
  const topic = queue ?? literal(args[0]);
  const listener = args.findLast(isFunction);
  return topic === null || !listener ? [] : subscribed(`queue ${topic}`, keysOf(listener, isJobData), line);
}

/** `@OnEvent('paid') paid(event) {}`, `@Processor('mails') class { process(job) {} }`. */
function decoratedListeners(each: Node, lineOf: LineOf): TopicUse[] {
  const [, processor] = decorators(each).find(([name]) => name === 'Processor') ?? [];
  const queue = literal(processor?.[0]) ?? literal(objectKeys(processor?.[0])?.keys.get('name'));
  return nodes(node(each.body)?.body).flatMap((member) => {
    const listener = node(member.value);
    if (!isFunction(listener)) return [];
    const all = decorators(member);
    const line = lineOf(member.start);
    if (queue !== null && (keyName(member) === 'process' || all.some(([name]) => name === 'Process')))
      return subscribed(`queue ${queue}`, keysOf(listener, isJobData), line);
    return all
      .filter(([name]) => /^(?:OnEvent|EventPattern|MessagePattern)$/.test(name))
      .flatMap(([, [topic]]) =>
        subscribed(literal(topic), keysOfParameter(listener, payloadAt(listener)), line),
      );
  });
}

/** The parameter that is marked as the payload, else the first one. */
function payloadAt(listener: Node): number {
  const marked = nodes(listener.params).findIndex((each) =>
    decorators(each).some(([name]) => name === 'Payload'),
  );
  return Math.max(marked, 0);
}

/** `dispatch(paid({ orderId }))`, `createSlice({ … })`, `builder.addCase(paid, (state, action) => …)`. */
function ofRedux(each: Node, { actions }: Channels, lineOf: LineOf): TopicUse[] {
  const called = memberPath(each.callee)?.at(-1);
  const [first, second] = nodes(each.arguments);
  const line = lineOf(each.start);
  if (called === 'dispatch' && first?.type === 'CallExpression') {
    const creator = memberPath(first.callee)?.at(-1);
    const [payload] = nodes(first.arguments);
    return creator === undefined
      ? []
      : published(actions.get(creator) ?? `action ${creator}`, objectKeys(payload), line);
  }
  if (called === 'addCase' && isFunction(second)) {
    const creator = memberPath(first)?.at(-1);
    const topic = creator === undefined ? literal(first) : (actions.get(creator) ?? `action ${creator}`);
    return subscribed(topic, keysOfAction(second), line);
  }
  return called === 'createSlice' ? slice(first, lineOf) : [];
}

/** Reducers of a slice: each handles `cart/paid` and gets an action creator. */
function slice(settings: Node | undefined, lineOf: LineOf): TopicUse[] {
  const keys = objectKeys(settings)?.keys;
  const name = literal(keys?.get('name'));
  return [...(objectKeys(keys?.get('reducers'))?.keys ?? [])].flatMap(([key, value]) => {
    const reducer = objectKeys(value)?.keys.get('reducer') ?? value;
    const read = isFunction(reducer) ? keysOfAction(reducer) : [];
    const line = lineOf(value.start);
    return [
      ...subscribed(`action ${key}`, read, line),
      ...(name === null ? [] : subscribed(`${name}/${key}`, read, line)),
    ];
  });
}

/** Keys of the payload that a reducer reads: `(state, action) => action.payload.orderId`. */
function keysOfAction(reducer: Node): string[] {
  const action = nodes(reducer.params)[1];
  if (action?.type === 'Identifier') return keysOf(reducer, isPayloadOf(String(action.name)));
  const payload = nodes(action?.properties).find((property) => keyName(property) === 'payload');
  const value = node(payload?.value);
  if (value?.type === 'ObjectPattern') return keysOfPattern(value);
  return value?.type === 'Identifier' ? keysOf(reducer, isNamed(String(value.name))) : [];
}

/** `{ type: 'cart/paid', payload: { orderId } }`. */
function reduxAction(each: Node, lineOf: LineOf): TopicUse[] {
  const action = objectKeys(each)?.keys;
  const payload = objectKeys(action?.get('payload'));
  return payload ? published(literal(action?.get('type')), payload, lineOf(each.start)) : [];
}

type Test = (value: Node) => boolean;

function isNamed(name: string): Test {
  return (value) => value.type === 'Identifier' && value.name === name;
}

/** `action.payload`. */
function isPayloadOf(action?: string): Test {
  return (value) => {
    const path = memberPath(value);
    return path?.length === 2 && path[1] === 'payload' && (action === undefined || path[0] === action);
  };
}

/** `job.data`. */
const isJobData: Test = (value) => {
  const path = memberPath(value);
  return path?.length === 2 && path[1] === 'data';
};

/** `JSON.parse(message.value.toString())`. */
const isParsed: Test = (value) =>
  value.type === 'CallExpression' && memberPath(value.callee)?.join('.') === 'JSON.parse';

/** Keys that a function reads from one of its parameters. */
function keysOfParameter(listener: Node, at: number): string[] {
  const parameter = nodes(listener.params)[at];
  if (parameter?.type === 'ObjectPattern') return keysOfPattern(parameter);
  return parameter?.type === 'Identifier' ? keysOf(listener, isNamed(String(parameter.name))) : [];
}

function keysOfPattern(pattern: Node): string[] {
  return nodes(pattern.properties)
    .flatMap((property) => keyName(property) ?? [])
    .sort();
}

/** Keys that are read from a value, directly or through variables that hold it. */
function keysOf(scope: Node, isPayload: Test): string[] {
  const keys = new Set<string>();
  const names = new Set<string>();
  const holds = (value: Node | null): value is Node =>
    value !== null && (isPayload(value) || (value.type === 'Identifier' && names.has(String(value.name))));
  walk(scope, (each) => {
    if (each.type === 'VariableDeclarator' && holds(bare(each.init))) {
      const target = node(each.id);
      if (target?.type === 'Identifier') names.add(String(target.name));
      else if (target) for (const key of keysOfPattern(target)) keys.add(key);
    }
    if (each.type === 'MemberExpression' && each.computed !== true && holds(bare(each.object)))
      keys.add(String(node(each.property)?.name));
  });
  return [...keys].sort();
}

/** Without type assertions: `JSON.parse(text) as Paid`. */
function bare(value: unknown): Node | null {
  let each = node(value);
  while (
    each &&
    /^(?:TSAsExpression|TSNonNullExpression|TSSatisfiesExpression|AwaitExpression|ChainExpression)$/.test(
      each.type,
    )
  )
    each = node(each.expression) ?? node(each.argument);
  return each;
}
