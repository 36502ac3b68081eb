import type { Mount, Route } from '#code/formats/shared/data-facts.ts';
import { constraintsOf, joinPaths } from '#code/formats/shared/route-path.ts';
import { isFunction, literal, memberPath, type Node, node, nodes, objectKeys, walk } from './estree.ts';
import { drizzleTables } from './orm-uses.ts';

type LineOf = (offset: number) => number;

export const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'all']);

interface Router {
  readonly framework: string;
  readonly prefix: string;
  readonly isApp: boolean;
}

/** Objects that routes are registered on, by variable. */
export interface Routers {
  readonly made: Map<string, Router>;
  readonly imports: Map<string, string>;
  /** Original names of imports: `users` for `import { users as router }`. */
  readonly renamed: Map<string, string>;
  /** Router variables that start a chain of calls, by its offset: `const app = new Hono().get(…)`. */
  readonly chains: Map<number, string>;
  /** Inline plugins: `app.register(async (api) => { … }, { prefix: '/v1' })`. */
  readonly plugins: Plugin[];
  /** Functions with a name. */
  readonly functions: NamedFunction[];
  /** Where routers are created. */
  readonly places: { readonly router: string; readonly start: number }[];
}

interface NamedFunction {
  readonly name: string;
  readonly params: readonly unknown[];
  readonly start: number;
  readonly end: number;
}

interface Plugin {
  readonly router: string;
  /** Its name inside the plugin. */
  readonly own: string;
  readonly prefix: string;
  readonly start: number;
  readonly end: number;
}

export function noRouters(): Routers {
  return {
    made: new Map(),
    imports: new Map(),
    renamed: new Map(),
    chains: new Map(),
    plugins: [],
    functions: [],
    places: [],
  };
}

/** Notes routers that are created here, and imports. */
export function noteRouter(each: Node, routers: Routers): void {
  const { made, imports, renamed, chains, plugins, functions, places } = routers;
  if (each.type === 'ImportDeclaration')
    for (const specifier of nodes(each.specifiers)) {
      const local = String(node(specifier.local)?.name);
      const imported = node(specifier.imported)?.name;
      imports.set(local, literal(each.source) ?? '');
      if (typeof imported === 'string' && imported !== local) renamed.set(local, imported);
    }
  if (each.type === 'CallExpression') plugins.push(...pluginOf(each));
  if (each.type === 'FunctionDeclaration') functions.push(...namedFunction(node(each.id)?.name, each));
  if (each.type !== 'VariableDeclarator') return;
  const name = node(each.id)?.name;
  const init = node(each.init);
  functions.push(...namedFunction(name, init));
  const router = routerMadeBy(init);
  if (typeof name === 'string' && router) {
    made.set(name, router);
    places.push({ router: name, start: each.start });
    const root = chainRoot(init);
    if (root) chains.set(root.start, name);
  }
  const from = requiredFrom(init);
  if (from !== null) imports.set(String(name), from);
}

function namedFunction(name: unknown, each: Node | null): NamedFunction[] {
  if (typeof name !== 'string' || !isFunction(each)) return [];
  const params = nodes(each.params).map((parameter) => parameter.name);
  return [{ name, params, start: each.start, end: each.end }];
}

/** The innermost function around an offset that creates a router or receives one. */
function functionOf(router: string, start: number, { functions, places }: Routers): { within?: string } {
  const found = functions.findLast(
    (each) =>
      each.start <= start &&
      start < each.end &&
      (each.params.includes(router) ||
        places.some((made) => made.router === router && each.start <= made.start && made.start < each.end)),
  );
  return found ? { within: found.name } : {};
}

function pluginOf(each: Node): Plugin[] {
  const path = memberPath(each.callee);
  const [plugin, options] = nodes(each.arguments);
  if (path?.at(-1) !== 'register' || path.length < 2 || !isFunction(plugin)) return [];
  const own = nodes(plugin.params)[0]?.name;
  const prefix = literal(objectKeys(options)?.keys.get('prefix')) ?? '';
  return typeof own === 'string'
    ? [{ router: path.at(-2) ?? '', own, prefix, start: plugin.start, end: plugin.end }]
    : [];
}

/** The router that a name means at an offset, and the prefix that the plugins around it add. */
function routerAt(
  name: string,
  start: number,
  { plugins }: Routers,
): { readonly router: string; readonly prefix: string } {
  const around = plugins.filter((plugin) => plugin.start <= start && start < plugin.end);
  // The innermost one comes last.
  const own = around.findLast((plugin) => plugin.own === name);
  if (!own) return { router: name, prefix: '' };
  const above = routerAt(own.router, own.start - 1, { plugins } as Routers);
  return { router: above.router, prefix: `${above.prefix}/${own.prefix}` };
}

/** `./users.js` of `require('./users.js')` and of `import('./users.js')`. */
function requiredFrom(value: Node | null | undefined): string | null {
  const each = value?.type === 'AwaitExpression' ? node(value.argument) : value;
  if (each?.type === 'ImportExpression') return literal(each.source);
  const isRequire = each?.type === 'CallExpression' && memberPath(each.callee)?.join() === 'require';
  return isRequire ? literal(nodes(each?.arguments)[0]) : null;
}

/** The first object of a chain of calls. */
function chainRoot(value: Node | null): Node | null {
  let each = value;
  while (each?.type === 'CallExpression' && node(each.callee)?.type === 'MemberExpression')
    each = node(node(each.callee)?.object);
  return each;
}

function routerMadeBy(init: Node | null): Router | null {
  let each = init;
  let prefix = '';
  if (each?.type === 'AwaitExpression') each = node(each.argument);
  while (each?.type === 'CallExpression' && node(each.callee)?.type === 'MemberExpression') {
    const name = String(node(node(each.callee)?.property)?.name);
    if (name === 'basePath') prefix = `${literal(nodes(each.arguments)[0]) ?? ''}${prefix}`;
    else if (name === 'Router') return { framework: 'Express', prefix: '', isApp: false };
    else if (!methods.has(name) && name !== 'use' && name !== 'route') return null;
    each = node(node(each.callee)?.object);
  }
  const maker = each && memberPath(each.callee)?.at(-1);
  if (each?.type === 'NewExpression' && (maker === 'Hono' || maker === 'OpenAPIHono'))
    return { framework: 'Hono', prefix, isApp: true };
  if (each?.type !== 'CallExpression') return null;
  if (maker === 'express') return { framework: 'Express', prefix: '', isApp: true };
  if (maker === 'Router') return { framework: 'Express', prefix: '', isApp: false };
  return maker === 'fastify' || maker === 'Fastify'
    ? { framework: 'Fastify', prefix: '', isApp: true }
    : null;
}

const likelyRouters = /^(?:app|router|fastify|server|api)$|Router$/;

/** `app.get('/users/:id', handler)`, `app.route({ method, url })`, `router.route('/x').get(h)`. */
export function routeOf(each: Node, routers: Routers, lineOf: LineOf): Route[] {
  const callee = node(each.callee);
  if (each.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return [];
  const method = String(node(callee.property)?.name ?? '');
  const args = nodes(each.arguments);
  if (method === 'route' && args.length === 1) return fastifyRoute(callee, args[0], routers, lineOf);
  if (!methods.has(method)) return [];
  const chained = chainedRoute(callee);
  const named = chained?.router ?? routerOf(callee, routers);
  const { router, prefix } = routerAt(named ?? '', each.start, routers);
  const written = chained ? chained.path : literal(args[0]);
  const handler = args.at(-1);
  if (named === undefined || written === null || (args.length < 2 && !chained)) return [];
  const own = routers.made.get(router);
  const from = routers.imports.get(router);
  if (!own && (!likelyRouters.test(router) || !isHandler(handler))) return [];
  if (!written.startsWith('/') && written !== '*' && written !== '') return [];
  return [
    {
      framework: own?.framework ?? 'unknown',
      method: method.toUpperCase(),
      path: joinPaths(`${own?.prefix ?? ''}/${prefix}`, written),
      ...constraintsOf(written, own?.framework !== 'Hono' && own?.framework !== 'Fastify'),
      router: own ? router : (routers.renamed.get(router) ?? router),
      ...functionOf(router, each.start, routers),
      ...(own ? { isOwn: true as const } : {}),
      ...(own || from === undefined ? {} : { from }),
      ...(ends(handler) ? { ends: true as const } : {}),
      ...(own && own.framework !== 'Fastify' ? { ordered: true as const } : {}),
      ...bodyAndMentions(handler),
      line: lineOf(each.start),
    },
  ];
}

/** The router variable that a method is called on, even after other calls: `new Hono().get('/a', a).get('/b', b)`. */
function routerOf(callee: Node, { chains, made }: Routers): string | undefined {
  const direct = memberPath(callee.object)?.at(-1);
  if (direct !== undefined) return direct;
  const root = chainRoot(node(callee.object));
  const name = memberPath(root)?.at(-1);
  return root ? (chains.get(root.start) ?? (name && made.has(name) ? name : undefined)) : undefined;
}

/** `router.route('/x').get(a).post(b)`. */
function chainedRoute(callee: Node): { router: string; path: string } | null {
  let object = node(callee.object);
  while (object?.type === 'CallExpression') {
    const inner = node(object.callee);
    if (inner?.type !== 'MemberExpression') return null;
    if (node(inner.property)?.name === 'route') {
      const router = memberPath(inner.object)?.at(-1);
      const [first, ...more] = nodes(object.arguments);
      const path = more.length === 0 ? literal(first) : null;
      return router !== undefined && path !== null ? { router, path } : null;
    }
    object = node(inner.object);
  }
  return null;
}

function fastifyRoute(callee: Node, options: Node | undefined, routers: Routers, lineOf: LineOf): Route[] {
  const named = memberPath(callee.object)?.at(-1);
  const settings = objectKeys(options);
  const path = literal(settings?.keys.get('url') ?? settings?.keys.get('path'));
  if (named === undefined || !settings || path === null) return [];
  const { router, prefix } = routerAt(named, callee.start, routers);
  const method = settings.keys.get('method');
  const all = method?.type === 'ArrayExpression' ? nodes(method.elements).map(literal) : [literal(method)];
  return all.flatMap((name) =>
    name === null
      ? []
      : [
          {
            framework: 'Fastify',
            method: name.toUpperCase(),
            path: joinPaths(prefix, path),
            ...constraintsOf(path, false),
            router,
            ...functionOf(router, callee.start, routers),
            ends: true as const,
            ...(routers.made.has(router) ? { isOwn: true as const } : {}),
            ...bodyAndMentions(settings.keys.get('handler')),
            line: lineOf(settings.keys.get('url')?.start ?? callee.start),
          },
        ],
  );
}

/** `app.use('/api', users)`, `app.route('/api', users)`, `app.register(plugin, { prefix: '/v1' })`. */
export function mountOf(each: Node, routers: Routers, lineOf: LineOf): Mount[] {
  const callee = node(each.callee);
  if (each.type !== 'CallExpression' || callee?.type !== 'MemberExpression') return [];
  const method = node(callee.property)?.name;
  if (method !== 'register' && method !== 'use' && method !== 'route') return [];
  const args = nodes(each.arguments);
  const { router, prefix: around } = routerAt(routerOf(callee, routers) ?? '', each.start, routers);
  if (!routers.made.has(router) && !likelyRouters.test(router)) return [];
  const line = lineOf(each.start);
  const mounted = (child: Node | undefined, below: string): Mount[] => {
    const prefix = joinPaths(around, below);
    const required = requiredFrom(child);
    if (required !== null) return [{ router, prefix, child: 'default', from: required, line }];
    const name = memberPath(child)?.at(0);
    if (name === undefined || (!routers.made.has(name) && !routers.imports.has(name))) return [];
    return [{ router, prefix, child: name, from: routers.imports.get(name) ?? null, line }];
  };
  if (method === 'register') {
    const prefix = literal(objectKeys(args[1])?.keys.get('prefix'));
    return mounted(args[0], prefix ?? '/');
  }
  const prefix = literal(args[0]);
  return args.slice(prefix === null ? 0 : 1).flatMap((child) => mounted(child, prefix ?? '/'));
}

function isHandler(value: Node | undefined): boolean {
  return isFunction(value) || (memberPath(value)?.length ?? 0) > 0;
}

/** It has no `next` parameter, so no later handler answers. */
function ends(handler: Node | undefined): boolean {
  return isFunction(handler) && nodes(handler.params).length < 3;
}

/** Keys that the handler reads from the body, and types it names. */
export function bodyAndMentions(handler: Node | undefined): Pick<Route, 'body' | 'mentions'> {
  if (!isFunction(handler)) return {};
  const body = new Set<string>();
  const mentions = new Set<string>();
  walk(handler, (each) => {
    if (each.type === 'VariableDeclarator' && node(each.id)?.type === 'ObjectPattern' && isBody(each.init))
      for (const property of nodes(node(each.id)?.properties)) {
        const key = node(property.key)?.name;
        // A key with a default is optional.
        if (typeof key === 'string' && node(property.value)?.type === 'Identifier') body.add(key);
      }
    if (each.type === 'Identifier' && /^[A-Z][a-z]/.test(String(each.name))) mentions.add(String(each.name));
    for (const table of drizzleTables(each)) mentions.add(table);
    const path = each.type === 'MemberExpression' ? memberPath(each) : null;
    if (path && path.length >= 2 && /^(?:prisma|db)$/.test(path[0] ?? '')) mentions.add(path[1] ?? '');
  });
  return {
    ...(body.size > 0 ? { body: [...body].sort() } : {}),
    ...(mentions.size > 0 ? { mentions: [...mentions].sort().slice(0, 20) } : {}),
  };
}

/** `req.body`, `await c.req.json()`, `request.body`. */
function isBody(value: unknown): boolean {
  let each = node(value);
  if (each?.type === 'AwaitExpression') each = node(each.argument);
  if (each?.type === 'TSAsExpression') each = node(each.expression);
  const path = memberPath(each?.type === 'CallExpression' ? each.callee : each)?.join('.') ?? '';
  return /^(?:\w*[rR]eq|request|q|ctx\.request)\.body$|(?:^|\.)(?:req|request)\.json$/.test(path);
}
