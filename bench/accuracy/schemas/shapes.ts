import { capital, filesOf, inTurn, seeding } from '../coherence/kit.ts';

/** Conflicts that no validator refuses: a client calls a removed route, a listener reads a field that is no longer sent. */
export const shapes = [
  seeding(
    { name: 'call of a renamed route', rule: 'C03', oracle: 'built' },
    ({ words: [first, second, third], n }) => {
      const server = (path: string) =>
        `import express from 'express';\n\nexport const app = express();\n\napp.get('${path}', (request, response) => {\n  response.send('ok');\n});\n\napp.get('/${third}/kept', (request, response) => {\n  response.send('ok');\n});\n`;
      const consumerFile = `web/${second}.ts`;
      const call = (path: string) =>
        inTurn(
          [
            `export const load = () => fetch('${path}');\n`,
            `import axios from 'axios';\n\nexport const load = () => axios.get('${path}');\n`,
            `import ky from 'ky';\n\nexport const load = () => ky.get('${path}');\n`,
          ],
          n,
        );
      const a = filesOf(['src/app.ts', server(`/v2/${second}_${first}`)]);
      return {
        base: filesOf(['src/app.ts', server(`/${first}`)]),
        a,
        b: filesOf([consumerFile, call(`/${first}`)]),
        twin: { a, b: filesOf([consumerFile, call(`/${third}/kept`)]) },
        consumerFile,
        symbol: first,
      };
    },
  ),
  seeding(
    { name: 'two types for one field', rule: 'C10', oracle: 'built' },
    ({ words: [first, second, third], n }) => {
      const name = capital(first);
      const zod = `import { z } from 'zod';\n\nexport const ${name}Schema = z.object({ ${third}: z.string(), ${second}: z.number() });\n`;
      const consumerFile = inTurn([`api/${first}.py`, `schema/${first}.graphql`], n);
      const other = (type: 'text' | 'number') =>
        consumerFile.endsWith('.py')
          ? `from pydantic import BaseModel\n\n\nclass ${name}(BaseModel):\n    ${third}: str\n    ${second}: ${type === 'text' ? 'str' : 'int'}\n`
          : `type ${name} {\n  ${third}: String!\n  ${second}: ${type === 'text' ? 'String' : 'Int'}!\n}\n`;
      const a = filesOf([`web/${first}-schema.ts`, zod]);
      return {
        a,
        b: filesOf([consumerFile, other('text')]),
        twin: { a, b: filesOf([consumerFile, other('number')]) },
        consumerFile,
        symbol: second,
      };
    },
  ),
  seeding(
    { name: 'keys of an event', rule: 'C11', oracle: 'built' },
    ({ words: [first, second, third], n }) => {
      const topic = `${first}.${third}`;
      const python = n % 2 === 1;
      const ending = python ? 'py' : 'ts';
      const consumerFile = `src/on_${third}.${ending}`;
      const emit = python
        ? `from bus import bus\n\n\ndef tell():\n    bus.emit("${topic}", {"${second}_id": 1})\n`
        : `import { bus } from './bus.ts';\n\nexport const tell = () => bus.emit('${topic}', { ${second}Id: 1 });\n`;
      const listen = (key: string) =>
        python
          ? `from bus import bus\n\n\n@bus.on("${topic}")\ndef heard(event):\n    return event["${key}"]\n`
          : `import { bus } from './bus.ts';\n\nbus.on('${topic}', (event) => event.${key});\n`;
      const a = filesOf([`src/tell_${first}.${ending}`, emit]);
      return {
        base: filesOf(
          [
            'src/bus.ts',
            "import { EventEmitter } from 'node:events';\n\nexport const bus = new EventEmitter();\n",
          ],
          ['src/bus.py', 'class Bus:\n    pass\n\n\nbus = Bus()\n'],
        ),
        a,
        b: filesOf([consumerFile, listen(python ? `${second}Id` : `${second}_id`)]),
        twin: { a, b: filesOf([consumerFile, listen(python ? `${second}_id` : `${second}Id`)]) },
        consumerFile,
        symbol: topic,
      };
    },
  ),
  seeding(
    { name: 'keys of a message', rule: 'C11', oracle: 'built' },
    ({ words: [first, second, third], n }) => {
      const topic = `${first}-${third}`;
      const { send, read, ending } = inTurn(brokers, n);
      const consumerFile = `src/on_${third}.${ending}`;
      const a = filesOf([`src/tell_${first}.${ending}`, send(topic, `${second}_id`)]);
      return {
        base: filesOf(['src/notes.md', '# notes\n']),
        a,
        b: filesOf([consumerFile, read(topic, `${second}_key`)]),
        twin: { a, b: filesOf([consumerFile, read(topic, `${second}_id`)]) },
        consumerFile,
        symbol: topic,
      };
    },
  ),
  seeding(
    { name: 'a parameter of a task', rule: 'C11', oracle: 'built' },
    ({ words: [first, second, third] }) => {
      const task = (parameters: string) =>
        `from celery import shared_task\n\n\n@shared_task\ndef send_${first}(${parameters}):\n    return ${second}\n`;
      const consumerFile = `jobs/tasks_${third}.py`;
      const b = filesOf([
        `shop/${first}_page.py`,
        `from jobs.tasks_${third} import send_${first}\n\n\ndef submit():\n    send_${first}.delay(1)\n`,
      ]);
      return {
        base: filesOf([consumerFile, task(second)]),
        a: filesOf([consumerFile, task(`${second}, ${third}_id`)]),
        b,
        twin: { a: filesOf([consumerFile, task(`${second}, ${third}_id=None`)]), b },
        consumerFile,
        symbol: `send_${first}`,
      };
    },
  ),
  seeding(
    { name: 'one version for two layouts', rule: 'C12', oracle: 'built' },
    ({ words: [first, second, third], n }) => {
      const python = n % 2 === 1;
      const ending = python ? 'py' : 'ts';
      const consumerFile = `store/version.${ending}`;
      const version = (value: number) =>
        python ? `SCHEMA_VERSION = ${value}\n` : `export const SCHEMA_VERSION = ${value};\n`;
      const layout = (name: string, fields: readonly string[]) =>
        python
          ? `from dataclasses import dataclass\n\n\n@dataclass\nclass ${capital(name)}:\n${fields.map((field) => `    ${field}: str\n`).join('')}`
          : `export interface ${capital(name)} {\n${fields.map((field) => `  ${field}: string;\n`).join('')}}\n`;
      const own = `store/${first}.${ending}`;
      const a = filesOf([consumerFile, version(8)], [own, layout(first, ['id', second])]);
      return {
        base: filesOf(
          [consumerFile, version(7)],
          [own, layout(first, ['id'])],
          [`store/${third}.${ending}`, layout(third, ['id'])],
        ),
        a,
        b: filesOf(
          [consumerFile, version(8)],
          [`store/${third}.${ending}`, layout(third, ['id', `${second}_at`])],
        ),
        twin: { a, b: filesOf([`store/${second}.${ending}`, layout(second, ['id'])]) },
        consumerFile,
        symbol: 'SCHEMA_VERSION',
      };
    },
  ),
];

interface Broker {
  readonly ending: 'ts' | 'py';
  send(topic: string, key: string): string;
  read(topic: string, key: string): string;
}

const brokers: readonly Broker[] = [
  {
    ending: 'ts',
    send: (topic, key) =>
      `import { producer } from 'kafka-client';\n\nexport const tell = () =>\n  producer.send({ topic: '${topic}', messages: [{ value: JSON.stringify({ ${key}: 1 }) }] });\n`,
    read: (topic, key) =>
      `import { consumer } from 'kafka-client';\n\nexport async function listen() {\n  await consumer.subscribe({ topic: '${topic}' });\n  await consumer.run({\n    eachMessage: async ({ message }) => {\n      const told = JSON.parse(String(message.value));\n      console.log(told.${key});\n    },\n  });\n}\n`,
  },
  {
    ending: 'ts',
    send: (topic, key) =>
      `import { channel } from 'rabbit-client';\n\nexport const tell = () => channel.sendToQueue('${topic}', Buffer.from(JSON.stringify({ ${key}: 1 })));\n`,
    read: (topic, key) =>
      `import { channel } from 'rabbit-client';\n\nexport const listen = () =>\n  channel.consume('${topic}', (message) => {\n    const { ${key} } = JSON.parse(message.content.toString());\n    console.log(${key});\n  });\n`,
  },
  {
    ending: 'ts',
    send: (topic, key) =>
      `import { Queue } from 'bullmq';\n\nconst jobs = new Queue('${topic}');\n\nexport const tell = () => jobs.add('one', { ${key}: 1 });\n`,
    read: (topic, key) =>
      `import { Worker } from 'bullmq';\n\nexport const worker = new Worker('${topic}', async (job) => console.log(job.data.${key}));\n`,
  },
  {
    ending: 'py',
    send: (topic, key) =>
      `import json\n\nfrom kafka_client import producer\n\n\ndef tell():\n    producer.send("${topic}", json.dumps({"${key}": 1}).encode())\n`,
    read: (topic, key) =>
      `import json\n\nfrom kafka import KafkaConsumer\n\nconsumer = KafkaConsumer("${topic}")\n\n\ndef listen():\n    for message in consumer:\n        told = json.loads(message.value)\n        print(told["${key}"])\n`,
  },
  {
    ending: 'py',
    send: (topic, key) =>
      `import json\n\n\ndef tell(channel):\n    channel.basic_publish(exchange="", routing_key="${topic}", body=json.dumps({"${key}": 1}))\n`,
    read: (topic, key) =>
      `import json\n\n\ndef heard(channel, method, properties, body):\n    print(json.loads(body)["${key}"])\n\n\ndef listen(channel):\n    channel.basic_consume(queue="${topic}", on_message_callback=heard)\n`,
  },
];
