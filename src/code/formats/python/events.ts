import { posix } from 'node:path';
import type { TopicUse } from '#code/formats/shared/data-facts.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { type Call, callAt, descendants, dictionaryKeys, stringOf } from './tree.ts';

type LineOf = (offset: number) => number;

/** Events that a file sends and handles: emitters, Kafka, RabbitMQ and Celery. */
export function topicsIn(
  path: string,
  tree: SyntaxTree,
  imports: ReadonlyMap<string, string>,
  lineOf: LineOf,
): TopicUse[] {
  const file = { path, tree, imports, lineOf, functions: functionsOf(tree) };
  return [...descendants(tree, 0)].flatMap((node) => {
    if (tree.kind(node) === 'decorated_definition') return [...listener(file, node), ...task(file, node)];
    if (tree.kind(node) === 'for_statement') return consumerLoop(file, node);
    const call = callAt(tree, node);
    return call ? [...sender(file, call), ...taskCall(file, call), ...registered(file, call)] : [];
  });
}

interface File {
  readonly path: string;
  readonly tree: SyntaxTree;
  readonly imports: ReadonlyMap<string, string>;
  readonly lineOf: LineOf;
  /** By name. */
  readonly functions: ReadonlyMap<string, NodeId>;
}

function functionsOf(tree: SyntaxTree): Map<string, NodeId> {
  const found = new Map<string, NodeId>();
  for (const node of descendants(tree, 0))
    if (tree.kind(node) === 'function_definition') found.set(tree.textOf(tree.child(node, 'name')), node);
  return found;
}

/** `bus.emit('paid', {'order_id': 1})`, `producer.send('paid', value={…})`, `channel.basic_publish(routing_key='mails', body=json.dumps({…}))`. */
function sender({ tree, lineOf }: File, call: Call): TopicUse[] {
  const method = call.name.includes('.') ? (call.name.split('.').at(-1) ?? '') : '';
  const isQueue = method === 'basic_publish';
  if (!isQueue && !/^(?:emit|publish|send_event|dispatch|send|send_and_wait|produce)$/.test(method))
    return [];
  const topic = stringOf(
    tree,
    isQueue ? call.keywords.get('routing_key') : (call.args[0] ?? call.keywords.get('topic')),
  );
  const body = isQueue
    ? call.keywords.get('body')
    : (call.args[1] ?? call.keywords.get('value') ?? call.keywords.get('data'));
  const sent = sentKeys(tree, body ?? none);
  if (topic === null || !sent) return [];
  const open = sent.isOpen ? { open: true as const } : {};
  const line = lineOf(tree.start(call.node));
  return [{ role: 'publishes', topic: isQueue ? `queue ${topic}` : topic, keys: sent.keys, ...open, line }];
}

/** Keys of a dictionary, even if it is sent as text: `json.dumps({…}).encode()`. */
function sentKeys(tree: SyntaxTree, node: NodeId): ReturnType<typeof dictionaryKeys> {
  const call = callAt(tree, node);
  if (call && /(?:^|\.)dumps$/.test(call.name)) return sentKeys(tree, call.args[0] ?? none);
  const callee = tree.kind(node) === 'call' ? tree.child(node, 'function') : none;
  const isEncoded =
    tree.kind(callee) === 'attribute' && tree.textOf(tree.child(callee, 'attribute')) === 'encode';
  return isEncoded ? sentKeys(tree, tree.child(callee, 'object')) : dictionaryKeys(tree, node);
}

/** `@bus.on('paid') def paid(event): event['order_id']`. */
function listener({ tree, lineOf }: File, node: NodeId): TopicUse[] {
  const definition = tree.child(node, 'definition');
  const [event] = parametersOf(tree, definition).filter(({ name }) => name !== 'self');
  return decoratorsOf(tree, node).flatMap(({ call, at }): TopicUse[] => {
    const topic = stringOf(tree, call?.args[0]);
    if (!call || topic === null || !event || !/\.(?:on|subscribe|listen)$/.test(call.name)) return [];
    return subscribed(topic, keysRead(bodyOf(tree, definition), event.name), lineOf(tree.start(at)));
  });
}

/** `bus.subscribe('paid', on_paid)`, `channel.basic_consume(queue='mails', on_message_callback=on_mail)`. */
function registered({ tree, lineOf, functions }: File, call: Call): TopicUse[] {
  const isQueue = /\.basic_consume$/.test(call.name);
  if (!isQueue && !/\.(?:on|subscribe|listen|add_listener)$/.test(call.name)) return [];
  const [topic, given] = isQueue
    ? [call.keywords.get('queue') ?? call.args[0], call.keywords.get('on_message_callback') ?? call.args[1]]
    : call.args;
  const name = stringOf(tree, topic);
  const handler = functions.get(given === undefined ? '' : tree.textOf(given));
  if (name === null || handler === undefined) return [];
  const own = parametersOf(tree, handler).filter((each) => each.name !== 'self');
  const payload = isQueue ? own[3] : own[0];
  const line = lineOf(tree.start(call.node));
  if (!payload) return [];
  return subscribed(isQueue ? `queue ${name}` : name, keysRead(bodyOf(tree, handler), payload.name), line);
}

/** `consumer = KafkaConsumer('paid')`, `for message in consumer: message.value['order_id']`. */
function consumerLoop({ tree, lineOf }: File, node: NodeId): TopicUse[] {
  const [message, consumer] = [tree.textOf(tree.child(node, 'left')), tree.textOf(tree.child(node, 'right'))];
  if (!/^\w+$/.test(message) || !/^\w+$/.test(consumer)) return [];
  // Files have many loops, but few consumers.
  if (!tree.text.includes('KafkaConsumer(')) return [];
  const made = new RegExp(
    `\\b${consumer}\\s*=\\s*(?:\\w+\\.)?(?:AIO)?KafkaConsumer\\(\\s*["']([^"']+)["']\\s*(?:\\)|,\\s*(?:\\w+\\s*=|\\)))`,
  );
  const [, topic] = made.exec(tree.text) ?? [];
  if (topic === undefined) return [];
  const line = lineOf(tree.start(node));
  return subscribed(topic, keysRead(tree.textOf(tree.child(node, 'body')), `${message}.value`), line);
}

function subscribed(topic: string, keys: readonly string[], line: number): TopicUse[] {
  return keys.length === 0 ? [] : [{ role: 'subscribes', topic, keys, line }];
}

/** `@app.task def send_mail(user_id)` reads its parameters; a call of `send_mail.delay(…)` sends them. */
function task({ path, tree, lineOf }: File, node: NodeId): TopicUse[] {
  const definition = tree.child(node, 'definition');
  if (tree.kind(definition) !== 'function_definition') return [];
  return decoratorsOf(tree, node).flatMap(({ name, call, at }): TopicUse[] => {
    if (!/^(?:shared_task|\w+\.task)$/.test(name)) return [];
    const isBound = call?.keywords.get('bind') !== undefined;
    const keys = parametersOf(tree, definition)
      .slice(isBound ? 1 : 0)
      .filter(({ isRequired }) => isRequired)
      .map((each) => each.name);
    const line = lineOf(tree.start(at));
    const given = stringOf(tree, call?.keywords.get('name'));
    const own = tree.textOf(tree.child(definition, 'name'));
    const names = [`${moduleName(path)}.${own}`, ...(given === null ? [] : [given])];
    return names.flatMap((each) => subscribed(`task ${each}`, keys, line));
  });
}

/** `send_mail.delay(1)`, `tasks.send_mail.apply_async(kwargs={…})`, `app.send_task('mails.send', kwargs={…})`. */
function taskCall({ path, tree, imports, lineOf }: File, call: Call): TopicUse[] {
  const [, target = '', method] = /^(.*)\.(delay|apply_async|send_task)$/.exec(call.name) ?? [];
  if (method === undefined) return [];
  const rest = call.args.slice(method === 'send_task' ? 1 : 0);
  const given = method === 'delay' ? call.keywords : new Map<string, NodeId>();
  const list = call.keywords.get('args') ?? rest[0] ?? none;
  const inList = /^(?:list|tuple)$/.test(tree.kind(list)) ? tree.children(list) : [];
  const named = dictionaryKeys(tree, call.keywords.get('kwargs') ?? rest[1] ?? none);
  const positional = method === 'delay' ? call.args : inList;
  const isOpen =
    positional.some((each) => /splat/.test(tree.kind(each))) ||
    named?.isOpen === true ||
    (method !== 'delay' && named === null && call.keywords.has('kwargs'));
  const [first = '', ...more] = target.split('.');
  const module = more.length > 0 ? first : (imports.get(first)?.split('.').at(-2) ?? moduleName(path));
  const topic =
    method === 'send_task'
      ? stringOf(tree, call.args[0])
      : `${more.length > 1 ? more.at(-2) : module}.${more.at(-1) ?? first}`;
  if (topic === null) return [];
  return [
    {
      role: 'publishes',
      topic: `task ${topic}`,
      keys: [...given.keys(), ...(named?.keys ?? [])].sort(),
      ...(positional.length > 0 ? { positional: positional.length } : {}),
      ...(isOpen ? { open: true as const } : {}),
      line: lineOf(tree.start(call.node)),
    },
  ];
}

/** `tasks` of `mails/tasks.py`, `mails` of `mails/__init__.py`. */
function moduleName(path: string): string {
  const word = posix.basename(path, '.py');
  return word === '__init__' ? posix.basename(posix.dirname(path)) : word;
}

function decoratorsOf(tree: SyntaxTree, node: NodeId): { name: string; call: Call | null; at: NodeId }[] {
  return tree
    .children(node)
    .filter((each) => tree.kind(each) === 'decorator')
    .map((at) => {
      const call = callAt(tree, tree.firstChild(at));
      return { name: call?.name ?? tree.textOf(tree.firstChild(at)), call, at };
    });
}

function parametersOf(tree: SyntaxTree, definition: NodeId): { name: string; isRequired: boolean }[] {
  return tree.children(tree.child(definition, 'parameters')).flatMap((each) => {
    const kind = tree.kind(each);
    const [name = ''] = tree
      .textOf(each)
      .split(/[:=]/)
      .map((part) => part.trim());
    if (!/^\w+$/.test(name)) return [];
    return [{ name, isRequired: kind === 'identifier' || kind === 'typed_parameter' }];
  });
}

function bodyOf(tree: SyntaxTree, definition: NodeId): string {
  return tree.textOf(tree.child(definition, 'body'));
}

/** Keys that code reads from a value, from its parsed form, and from variables that hold either. */
function keysRead(body: string, payload: string): string[] {
  const value = payload.replace('.', '\\.');
  const whole = `(?:json\\.loads\\(\\s*)?${value}(?:\\(\\))?(?:\\.decode\\([^)]*\\))?\\)?`;
  const held = body.matchAll(new RegExp(`^[ \\t]*(\\w+)[ \\t]*(?::[^=\\n]+)?=[ \\t]*${whole}[ \\t]*$`, 'gm'));
  const names = [...held].map(([, name = '']) => name);
  const reads = body.matchAll(
    new RegExp(`\\b(?:${[whole, ...names].join('|')})(?:\\[["'](\\w+)["']\\]|\\.get\\(["'](\\w+)["'])`, 'g'),
  );
  return [...new Set([...reads].flatMap(([, item, got]) => item ?? got ?? []))].sort();
}
