import { posix } from 'node:path';
import type { Mount, Route } from '#code/formats/shared/data-facts.ts';
import { constraintsOf, joinPaths, plainPath } from '#code/formats/shared/route-path.ts';
import {
  decorators,
  isFunction,
  literal,
  memberPath,
  type Node,
  node,
  nodes,
  objectKeys,
  walk,
} from './estree.ts';

type LineOf = (offset: number) => number;

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'all']);

/** Objects that routes are registered on, by variable. */
export interface Routers {
  readonly made: Map<
    string,
    { readonly framework: string; readonly prefix: string; readonly isApp: boolean }
  >;
  readonly imports: Map<string, string>;
}

/** Notes routers that are made here, and what is imported. */
export function noteRouter(each: Node, { made, imports }: Routers): void {
  if (each.type === 'ImportDeclaration')
    for (const specifier of nodes(each.specifiers))
      imports.set(String(node(specifier.local)?.name), literal(each.source) ?? '');
  if (each.type !== 'VariableDeclarator') return;
  const name = node(each.id)?.name;
  const made_ = routerMadeBy(node(each.init));
  if (typeof name === 'string' && made_) made.set(name, made_);
  const required = node(each.init);
  if (required?.type === 'CallExpression' && memberPath(required.callee)?.join() === 'require')
    imports.set(String(name), literal(nodes(required.arguments)[0]) ?? '');
}

function routerMadeBy(init: Node | null): { framework: string; prefix: string; isApp: boolean } | null {
  let each = init;
  let prefix = '';
  if (each?.type === 'AwaitExpression') each = node(each.argument);
  while (each?.type === 'CallExpression' && node(each.callee)?.type === 'MemberExpression') {
    const name = node(node(each.callee)?.property)?.name;
    if (name === 'basePath') prefix = `${literal(nodes(each.arguments)[0]) ?? ''}${prefix}`;
    else if (name === 'Router') return { framework: 'Express', prefix: '', isApp: false };
    else return null;
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
  const router = chained?.router ?? memberPath(callee.object)?.at(-1);
  const written = chained ? chained.path : literal(args[0]);
  const handler = args.at(-1);
  if (router === undefined || written === null || (args.length < 2 && !chained)) return [];
  const own = routers.made.get(router);
  if (!own && (!likelyRouters.test(router) || !isHandler(handler))) return [];
  if (!written.startsWith('/') && written !== '*' && written !== '') return [];
  return [
    {
      framework: own?.framework ?? 'unknown',
      method: method.toUpperCase(),
      path: joinPaths(own?.prefix ?? '', written),
      ...constraintsOf(written, own?.framework !== 'Hono' && own?.framework !== 'Fastify'),
      router,
      ...(own ? { isOwn: true as const } : {}),
      ...(ends(handler) ? { ends: true as const } : {}),
      ...(own && own.framework !== 'Fastify' ? { ordered: true as const } : {}),
      ...bodyAndMentions(handler),
      line: lineOf(each.start),
    },
  ];
}

/** `router.route('/x').get(a).post(b)`. */
function chainedRoute(callee: Node): { router: string; path: string } | null {
  let object = node(callee.object);
  while (object?.type === 'CallExpression') {
    const inner = node(object.callee);
    if (inner?.type !== 'MemberExpression') return null;
    if (node(inner.property)?.name === 'route') {
      const router = memberPath(inner.object)?.at(-1);
      const path = literal(nodes(object.arguments)[0]);
      return router !== undefined && path !== null ? { router, path } : null;
    }
    object = node(inner.object);
  }
  return null;
}

function fastifyRoute(callee: Node, options: Node | undefined, routers: Routers, lineOf: LineOf): Route[] {
  const router = memberPath(callee.object)?.at(-1);
  const settings = objectKeys(options);
  const path = literal(settings?.keys.get('url'));
  if (router === undefined || !settings || path === null) return [];
  const method = settings.keys.get('method');
  const all = method?.type === 'ArrayExpression' ? nodes(method.elements).map(literal) : [literal(method)];
  return all.flatMap((name) =>
    name === null
      ? []
      : [
          {
            framework: 'Fastify',
            method: name.toUpperCase(),
            path: plainPath(path),
            ...constraintsOf(path, false),
            router,
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
  const router = memberPath(callee.object)?.at(-1);
  const args = nodes(each.arguments);
  if (router === undefined || !routers.made.has(router)) return [];
  const line = lineOf(each.start);
  const mounted = (child: Node | undefined, prefix: string): Mount[] => {
    const name = memberPath(child)?.at(0);
    if (name === undefined || (!routers.made.has(name) && !routers.imports.has(name))) return [];
    return [
      { router, prefix: plainPath(prefix), child: name, from: routers.imports.get(name) ?? null, line },
    ];
  };
  if (method === 'register') {
    const prefix = literal(objectKeys(args[1])?.keys.get('prefix'));
    return mounted(args[0], prefix ?? '/');
  }
  if (method !== 'use' && method !== 'route') return [];
  const prefix = literal(args[0]);
  return args.slice(prefix === null ? 0 : 1).flatMap((child) => mounted(child, prefix ?? '/'));
}

/** `@Controller('cats') class { @Get(':id') find() {} }`. */
export function nestRoutes(each: Node, lineOf: LineOf): Route[] {
  const controller = decorators(each).find(([name]) => name === 'Controller');
  if (each.type !== 'ClassDeclaration' || !controller) return [];
  const [first] = controller[1];
  const prefix = literal(first) ?? literal(objectKeys(first)?.keys.get('path')) ?? '';
  return nodes(node(each.body)?.body).flatMap((member) =>
    decorators(member).flatMap(([name, args]): Route[] => {
      if (!methods.has(name.toLowerCase()) || !/^[A-Z]/.test(name)) return [];
      const path = args.length === 0 ? '' : literal(args[0]);
      if (path === null) return [];
      return [
        {
          framework: 'Nest',
          method: name.toUpperCase(),
          path: joinPaths(prefix, path),
          ...constraintsOf(path, true),
          router: '@Controller',
          isOwn: true,
          ends: true,
          ordered: true,
          ...bodyAndMentions(node(member.value) ?? undefined),
          line: lineOf(member.start),
        },
      ];
    }),
  );
}

/** Next takes routes from the paths of files: `app/users/[id]/route.ts`, `pages/api/users.ts`. */
export function nextRoutes(path: string, exported: readonly string[]): Route[] {
  const made = (route: string, method: string): Route => ({
    framework: 'Next',
    method,
    path: plainPath(route.replace(/(^|\/)\([^)]*\)(?=\/|$)/g, '$1').replace(/(^|\/)@[^/]*/g, '$1')),
    router: 'files',
    isOwn: true,
    ends: true,
    line: 1,
  });
  const [, handler] = /(?:^|\/)app\/(.*?)\/?route\.[cm]?[jt]sx?$/.exec(path) ?? [];
  if (handler !== undefined)
    return exported.filter((name) => methods.has(name.toLowerCase())).map((name) => made(handler, name));
  const [, api] = /(?:^|\/)pages\/(api\/.*)\.[cm]?[jt]sx?$/.exec(path) ?? [];
  if (api !== undefined) return [made(api.replace(/\/?index$/, ''), 'ALL')];
  const [, page] = /(?:^|\/)app\/(.*?)\/?page\.[cm]?[jt]sx?$/.exec(path) ?? [];
  return page === undefined ? [] : [made(page, 'PAGE')];
}

export function isNextFile(path: string): boolean {
  const name = posix.basename(path);
  return /^(?:route|page)\.[cm]?[jt]sx?$/.test(name) || /(?:^|\/)pages\/api\//.test(path);
}

function isHandler(value: Node | undefined): boolean {
  return isFunction(value) || (memberPath(value)?.length ?? 0) > 0;
}

/** It takes no `next`, so that nothing after it answers. */
function ends(handler: Node | undefined): boolean {
  return isFunction(handler) && nodes(handler.params).length < 3;
}

/** Keys that the handler takes out of the body, and names of types in it. */
function bodyAndMentions(handler: Node | undefined): Pick<Route, 'body' | 'mentions'> {
  if (!isFunction(handler)) return {};
  const body = new Set<string>();
  const mentions = new Set<string>();
  walk(handler, (each) => {
    if (each.type === 'VariableDeclarator' && node(each.id)?.type === 'ObjectPattern' && isBody(each.init))
      for (const property of nodes(node(each.id)?.properties)) {
        const key = node(property.key)?.name;
        // One with a default may be left out.
        if (typeof key === 'string' && node(property.value)?.type === 'Identifier') body.add(key);
      }
    if (each.type === 'Identifier' && /^[A-Z][a-z]/.test(String(each.name))) mentions.add(String(each.name));
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
  return /^(?:req|request|ctx\.request)\.body$|(?:^|\.)(?:req|request)\.json$/.test(path);
}
