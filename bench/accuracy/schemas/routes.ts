import { filesOf, inTurn, type Making, seeding } from '../coherence/kit.ts';

type Verb = 'get' | 'post' | 'delete';

/** An application with existing routes in the middle, so that both ends merge. */
function scripted(framework: string, head: readonly string[], tail: readonly string[]): string {
  const made = {
    Express: ["import express from 'express';", 'const app = express();'],
    Fastify: ["import Fastify from 'fastify';", 'export const app = Fastify();'],
    Hono: ["import { Hono } from 'hono';", 'export const app = new Hono();'],
  }[framework] ?? ['', ''];
  const route = (path: string) => registered(framework, 'get', path);
  return [
    made[0],
    '',
    made[1],
    '',
    ...head,
    ...['/health', '/version', '/state'].map(route),
    ...tail,
    '',
    ...(framework === 'Express' ? ['app.listen(3000);'] : []),
    '',
  ].join('\n');
}

function registered(framework: string, verb: Verb, path: string): string {
  const handler = {
    Express: "(request, response) => {\n  response.send('ok');\n}",
    Fastify: "async () => 'ok'",
    Hono: "(c) => c.text('ok')",
  }[framework];
  return `app.${verb}('${path}', ${handler});`;
}

function python(framework: string, head: readonly string[], tail: readonly string[]): string {
  const made =
    framework === 'Flask'
      ? 'from flask import Flask\n\napp = Flask(__name__)\n'
      : 'from fastapi import FastAPI\n\napp = FastAPI()\n';
  const fixed = ['health', 'version', 'state'].map((name) => view('get', `/${name}`, name, []));
  return [made, ...head, ...fixed, ...tail, '\ndef main():\n    return app\n'].join('\n');
}

function view(verb: Verb, path: string, name: string, parameters: readonly string[]): string {
  return `\n@app.${verb}("${path}")\ndef ${name}(${parameters.join(', ')}):\n    return "ok"\n`;
}

const ofScripts = ['Express', 'Fastify', 'Hono'];

function shadowing({ words: [first, second], n }: Making, framework: string) {
  const at = `/${first}`;
  const [wide, narrow, fine] = [`${at}/:id`, `${at}/${second}`, `${at}/${second}/all`];
  const file = 'src/app.ts';
  const verb = inTurn(['get', 'post'] as const, n);
  const a = filesOf([file, scripted(framework, [registered(framework, verb, wide)], [])]);
  const b = (path: string) => filesOf([file, scripted(framework, [], [registered(framework, verb, path)])]);
  return {
    base: filesOf([file, scripted(framework, [], [])]),
    a,
    b: b(narrow),
    twin: { a, b: b(fine) },
    consumerFile: file,
    symbol: first,
  };
}

export const routes = [
  seeding({ name: 'one path twice', rule: 'C01', oracle: 'routes' }, ({ words: [first, second], n }) => {
    const framework = inTurn(ofScripts, n);
    const verb = inTurn(['get', 'post', 'delete'] as const, Math.floor(n / 3));
    const file = 'src/app.ts';
    const a = filesOf([file, scripted(framework, [registered(framework, verb, `/${first}/:id`)], [])]);
    const b = (path: string) => filesOf([file, scripted(framework, [], [registered(framework, verb, path)])]);
    return {
      base: filesOf([file, scripted(framework, [], [])]),
      a,
      b: b(`/${first}/:${second}`),
      twin: { a, b: b(`/${first}/:${second}/rest`) },
      consumerFile: file,
      symbol: first,
    };
  }),
  seeding(
    { name: 'one path in two routers', rule: 'C01', oracle: 'routes' },
    ({ words: [first, second, third] }) => {
      const server = [
        "import express from 'express';",
        `import { ${first}Router } from './routes/${first}.ts';`,
        `import { ${second}Router } from './routes/${second}.ts';`,
        '',
        'const app = express();',
        `app.use('/api', ${first}Router);`,
        `app.use('/api', ${second}Router);`,
        'app.listen(3000);',
        '',
      ].join('\n');
      const router = (name: string, path: string | null) =>
        `import { Router } from 'express';\n\nexport const ${name}Router = Router();\n${path === null ? '' : `\n${name}Router.get('${path}', (request, response) => {\n  response.send('${name}');\n});\n`}`;
      const consumerFile = `src/routes/${second}.ts`;
      const a = filesOf([`src/routes/${first}.ts`, router(first, `/${third}`)]);
      return {
        base: filesOf(
          ['src/server.ts', server],
          [`src/routes/${first}.ts`, router(first, null)],
          [consumerFile, router(second, null)],
        ),
        a,
        b: filesOf([consumerFile, router(second, `/${third}`)]),
        twin: { a, b: filesOf([consumerFile, router(second, `/${third}/${second}`)]) },
        consumerFile,
        symbol: third,
      };
    },
  ),
  seeding(
    { name: 'one path twice, Python', rule: 'C01', oracle: 'frameworks' },
    ({ words: [first, second], n }) => {
      const framework = inTurn(['FastAPI', 'Flask'], n);
      const parameter = (name: string) => (framework === 'Flask' ? `<${name}>` : `{${name}}`);
      const file = 'api/main.py';
      const verb = inTurn(['get', 'post'] as const, n >> 1);
      const a = filesOf([
        file,
        python(framework, [view(verb, `/${first}/${parameter('key')}`, `read_${first}`, ['key'])], []),
      ]);
      const b = (path: string) =>
        filesOf([file, python(framework, [], [view(verb, path, `one_${second}`, ['name'])])]);
      return {
        base: filesOf([file, python(framework, [], [])]),
        a,
        b: b(`/${first}/${parameter('name')}`),
        twin: { a, b: b(`/${first}/${parameter('name')}/rest`) },
        consumerFile: file,
        symbol: first,
      };
    },
  ),
  seeding({ name: 'a parameter first', rule: 'C02', oracle: 'routes' }, (making) =>
    shadowing(making, inTurn(['Express', 'Hono'], making.n)),
  ),
  seeding(
    { name: 'one path in two routers, Python', rule: 'C01', oracle: 'frameworks' },
    ({ words: [first, second, third], n }) => {
      const isFlask = n % 2 === 1;
      const maker = isFlask ? 'Blueprint' : 'APIRouter';
      const router = (name: string, path: string | null) =>
        `from ${isFlask ? 'flask' : 'fastapi'} import ${maker}\n\nrouter = ${maker}(${isFlask ? `"${name}", __name__` : ''})\n${path === null ? '' : `\n\n@router.get("${path}")\ndef read_${name}():\n    return "ok"\n`}`;
      const mount = (name: string) =>
        isFlask
          ? `app.register_blueprint(${name}, url_prefix="/${third}")`
          : `app.include_router(${name}, prefix="/${third}")`;
      const main = [
        `from ${isFlask ? 'flask import Flask' : 'fastapi import FastAPI'}`,
        '',
        `from api.${first} import router as ${first}`,
        `from api.${second} import router as ${second}`,
        '',
        `app = ${isFlask ? 'Flask(__name__)' : 'FastAPI()'}`,
        mount(first),
        mount(second),
        '',
      ].join('\n');
      const consumerFile = `api/${second}.py`;
      const a = filesOf([`api/${first}.py`, router(first, '/open')]);
      return {
        base: filesOf(
          ['api/main.py', main],
          [`api/${first}.py`, router(first, null)],
          [consumerFile, router(second, null)],
        ),
        a,
        b: filesOf([consumerFile, router(second, '/open')]),
        twin: { a, b: filesOf([consumerFile, router(second, '/closed')]) },
        consumerFile,
        symbol: 'open',
      };
    },
  ),
];
