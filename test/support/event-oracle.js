/**
 * Lets the listeners of trees receive what their publishers send, over in-memory brokers: `node event-oracle.js <tree>…` prints,
 * by tree, the keys that a listener reads and no publisher sent, and how many messages were received or had no listener.
 */
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript-5.9';

/** @typedef {(payload: any) => unknown} Listener */
/** @type {Map<string, Listener[]>} */
let listeners = new Map();
/** @type {Set<string>} */
let missing = new Set();
let received = 0;
/** Messages to a queue without a reader, while another queue has one. */
let unheard = 0;
/** @type {((emitter: EventEmitter) => void)[]} */
let connections = [];

/** A message as it arrives: a copy that records every missing key. @param {string} topic @param {any} payload */
function watched(topic, payload) {
  received += 1;
  return new Proxy(structuredClone(payload), {
    get(target, key) {
      if (typeof key === 'string' && !(key in target)) missing.add(`${topic}: ${key} is not sent`);
      return Reflect.get(target, key);
    },
  });
}

/** @param {string} topic @param {Listener} listener */
const listen = (topic, listener) => listeners.set(topic, [...(listeners.get(topic) ?? []), listener]);
/** @param {string} topic @param {unknown} message */
async function publish(topic, message) {
  if (listeners.size > 0 && !listeners.has(topic)) unheard += 1;
  for (const listener of listeners.get(topic) ?? []) await listener(message);
}

const { emit } = EventEmitter.prototype;
EventEmitter.prototype.emit = function (name, /** @type {any[]} */ ...args) {
  const isPayload =
    typeof name === 'string' && args[0]?.constructor === Object && this.listenerCount(name) > 0;
  return emit.call(this, name, ...(isPayload ? [watched(name, args[0])] : args));
};
// Messages of brokers are text.
const readJson = JSON.parse;
/** @param {string} text */
const readMessage = (text) => {
  const value = readJson(text);
  return value?.constructor === Object ? watched('message', value) : value;
};

class Queue {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
  }
  /** @param {string} name @param {object} data */
  add(name, data) {
    return publish(this.name, { name, data: watched(this.name, data) });
  }
}
const channel = {
  /** @param {string} queue @param {Buffer} content */
  sendToQueue: (queue, content) => publish(queue, { content }),
  consume: async (/** @type {string} */ queue, /** @type {Listener} */ listener) => listen(queue, listener),
  ack: () => {},
};
/** @type {((action: any) => unknown)[]} */
let reducers = [];
/** @param {any} action */
function dispatch(action) {
  if (!action?.type || action.payload?.constructor !== Object) return;
  for (const reduce of reducers) reduce({ ...action, payload: watched(action.type, action.payload) });
}

/** What the modules of a tree import. @type {Record<string, Record<string, unknown>>} */
const brokers = {
  bullmq: {
    Queue,
    Worker: class {
      /** @param {string} queue @param {Listener} work */
      constructor(queue, work) {
        listen(queue, work);
      }
    },
  },
  '@nestjs/bullmq': {
    InjectQueue: () => () => {},
    WorkerHost: class {},
    Processor: (/** @type {string} */ queue) => (/** @type {new () => { process: Listener }} */ made) => {
      listen(queue, (job) => new made().process(job));
    },
  },
  '@nestjs/event-emitter': {
    EventEmitter2: EventEmitter,
    OnEvent: (/** @type {string} */ name) => (/** @type {any} */ owner, /** @type {string} */ method) => {
      connections.push((events) => events.on(name, (payload) => owner[method](payload)));
    },
  },
  '@nestjs/common': { Injectable: () => () => {} },
  kafkajs: {
    Kafka: class {
      producer() {
        return {
          /** @param {{ topic: string, messages: object[] }} sent */
          send: async ({ topic, messages }) => {
            for (const message of messages) await publish(topic, { message });
          },
        };
      }
      consumer() {
        /** @type {string[]} */
        const topics = [];
        return {
          subscribe: async (/** @type {{ topic?: string, topics?: string[] }} */ wanted) =>
            topics.push(...(wanted.topics ?? [wanted.topic ?? ''])),
          run: async (/** @type {{ eachMessage: Listener }} */ { eachMessage }) => {
            for (const topic of topics) listen(topic, eachMessage);
          },
        };
      }
    },
  },
  '@reduxjs/toolkit': {
    createSlice: (
      /** @type {{ name: string, initialState: unknown, reducers: Record<string, Function> }} */ slice,
    ) => {
      const types = Object.keys(slice.reducers);
      const typeOf = (/** @type {string} */ key) => `${slice.name}/${key}`;
      reducers.push((action) => {
        const key = types.find((each) => typeOf(each) === action.type);
        if (key) slice.reducers[key]?.(structuredClone(slice.initialState), action);
      });
      const actions = types.map((key) => [
        key,
        (/** @type {unknown} */ payload) => ({ type: typeOf(key), payload }),
      ]);
      return { actions: Object.fromEntries(actions) };
    },
  },
};
/** @type {any} */ (globalThis).brokers = brokers;

registerHooks({
  resolve(specifier, context, next) {
    return specifier in brokers
      ? { url: `broker:${specifier}`, shortCircuit: true }
      : next(specifier, context);
  },
  load(url, context, next) {
    if (url.startsWith('broker:')) {
      const name = url.slice('broker:'.length);
      const names = Object.keys(brokers[name] ?? {});
      return {
        format: 'module',
        source: `export const { ${names.join(', ')} } = globalThis.brokers['${name}'];`,
        shortCircuit: true,
      };
    }
    if (!url.endsWith('.ts')) return next(url, context);
    // Node does not support decorators, which Nest needs.
    const compilerOptions = {
      experimentalDecorators: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
    };
    const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), { compilerOptions });
    return { format: 'module', source: outputText, shortCircuit: true };
  },
});

/** Values for the parameters of a function, by their names. @param {Function} made */
function argumentsOf(made) {
  const events = new EventEmitter();
  for (const connect of connections) connect(events);
  /** @type {Record<string, unknown>} */
  const known = { channel, dispatch, events, mails: new Queue('mails') };
  const text = Function.prototype.toString.call(made);
  const [, list = ''] = /(?:constructor|^(?:async )?(?:function)?[^(]*)\(([^)]*)\)/.exec(text) ?? [];
  return list.split(',').map((name) => known[name.trim()] ?? 'sample');
}

/** Calls a function, or every method of a class; returned actions are dispatched. @param {any} exported */
async function drive(exported) {
  if (typeof exported !== 'function') return;
  if (!/^class\b/.test(String(exported))) {
    if (!argumentsOf(exported).length || !/\baction\b/.test(String(exported).split(')')[0] ?? ''))
      dispatch(await exported(...argumentsOf(exported)));
    return;
  }
  const made = new exported(...argumentsOf(exported));
  for (const name of Object.getOwnPropertyNames(exported.prototype))
    if (name !== 'constructor' && !/\b(?:job|event)\b/.test(String(made[name]).split(')')[0] ?? ''))
      await made[name]('sample');
}

/** @param {string} tree */
async function judge(tree) {
  [listeners, missing, received, unheard, connections, reducers] = [new Map(), new Set(), 0, 0, [], []];
  const modules = [];
  for (const path of readdirSync(tree, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (!path.endsWith('.ts')) continue;
    try {
      modules.push(await import(pathToFileURL(join(tree, path)).href));
    } catch (error) {
      // A publisher that imports what only the other branch has sends nothing yet.
      if (/** @type {{ code?: string }} */ (error).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    }
  }
  const exported = modules.flatMap((module) => Object.values(module));
  for (const each of exported)
    if (typeof each === 'function' && /^(?:async )?function \w+\(state, action\b/.test(String(each)))
      reducers.push((action) => each([], action));
  JSON.parse = readMessage;
  // First all listeners, then all publishers.
  for (const each of exported) if (each?.name === 'listen') await drive(each);
  for (const each of exported) if (each?.name !== 'listen') await drive(each);
  JSON.parse = readJson;
  return { missing: [...missing], received, unheard };
}

/** @type {Record<string, { missing: string[], received: number, unheard: number }>} */
const told = {};
const log = console.log;
console.log = () => {};
for (const tree of process.argv.slice(2)) told[tree] = await judge(tree);
log(JSON.stringify(told));
