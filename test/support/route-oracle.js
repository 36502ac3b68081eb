/**
 * Registers the routes of trees in the real frameworks and requests each path: `node route-oracle.js <tree>…` prints, by tree,
 * the routes that another handler answers and what the framework refuses.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire, registerHooks } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import ts from 'typescript-5.9';

// Express ships no types.
const express = createRequire(import.meta.url)('express');
const { Router } = express;
// Node does not support decorators, which Nest needs.
registerHooks({
  load(url, context, next) {
    if (!/\.(?:controller|module)\.ts$/.test(url)) return next(url, context);
    const compilerOptions = {
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
    };
    const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), { compilerOptions });
    return { format: 'module', source: outputText, shortCircuit: true };
  },
});
/** @typedef {{ router: object, path: string, route: object }} Registered */
/** @type {Registered[]} */
let registered = [];
/** @type {{ router: object, path: string, child: unknown }[]} */
let mounts = [];
/** @type {any[]} */
let apps = [];
/** @type {object | null} */
let answering = null;

const { route, use } = Router.prototype;
/** @param {string} path */
Router.prototype.route = function (path) {
  const made = route.call(this, path);
  registered.push({ router: this, path, route: made });
  return made;
};
/** @param {any[]} args */
Router.prototype.use = function (...args) {
  const [path, children] = typeof args[0] === 'string' ? [args[0], args.slice(1)] : ['', args];
  for (const child of children) mounts.push({ router: this, path, child });
  return use.apply(this, args);
};
/** @param {unknown} _request @param {import('node:http').ServerResponse} response */
express.Route.prototype.dispatch = function (_request, response) {
  answering ??= this;
  response.end();
};
express.application.listen = function () {
  apps.push(this);
  return this;
};

/** @param {string} path */
const sampled = (path) => path.replaceAll(/:\w+/g, 'sample');

/** @param {object} router @returns {string | null} */
function prefixOf(router) {
  if (apps.some((app) => app.router === router)) return '';
  const mount = mounts.find(({ child }) => child === router);
  const above = mount ? prefixOf(mount.router) : null;
  return mount && above !== null ? `${above}${mount.path}` : null;
}

async function unreachableInExpress() {
  const lost = [];
  for (const app of apps) {
    const server = createServer(app);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
    const address = /** @type {import('node:net').AddressInfo} */ (server.address());
    for (const { router, path, route: own } of registered) {
      const prefix = prefixOf(router);
      if (prefix === null) continue;
      for (const method of Object.keys(/** @type {{ methods: object }} */ (own).methods)) {
        answering = null;
        const url = `http://127.0.0.1:${address.port}${sampled(`${prefix}${path}`)}`;
        await fetch(url, { method: method.toUpperCase() });
        if (answering !== own)
          lost.push(`${method.toUpperCase()} ${prefix}${path} is answered by another route`);
      }
    }
    server.closeAllConnections();
    server.close();
  }
  return lost;
}

/** @param {import('hono').Hono} app */
function unreachableInHono(app) {
  return app.routes.flatMap(({ method, path, handler }) => {
    const [matches] = app.router.match(method, sampled(path));
    const first = /** @type {unknown[][]} */ (matches)[0]?.[0];
    const answers = Array.isArray(first) ? first[0] : first;
    return answers === handler ? [] : [`${method} ${path} is answered by another route`];
  });
}

/** The Express application that Nest registers its routes on. @param {new () => unknown} root */
async function nestApp(root) {
  const { NestFactory } = await import('@nestjs/core');
  const app = await NestFactory.create(root, { logger: false });
  app.enableVersioning();
  await app.init();
  return app.getHttpAdapter().getInstance();
}

/** @param {string} tree @returns {Promise<string[]>} */
async function judge(tree) {
  const entry = ['src/server.ts', 'src/app.ts', 'src/app.module.ts']
    .map((path) => join(tree, path))
    .find(existsSync);
  if (entry === undefined) return ['there is no application'];
  [registered, mounts, apps] = [[], [], []];
  try {
    const module = await import(pathToFileURL(entry).href);
    if (module.AppModule) apps.push(await nestApp(module.AppModule));
    // The result of `basePath` is not an instance of the exported class.
    if (Array.isArray(module.app?.routes)) return unreachableInHono(module.app);
    if (typeof module.app?.ready === 'function') await module.app.ready();
    return await unreachableInExpress();
  } catch (error) {
    // Fastify refuses a duplicate route.
    return [/** @type {Error} */ (error).message];
  }
}

/** @type {Record<string, string[]>} */
const found = {};
for (const tree of process.argv.slice(2)) found[basename(tree)] = await judge(tree);
process.stdout.write(`${JSON.stringify(found)}\n`);
