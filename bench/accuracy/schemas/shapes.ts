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
];
