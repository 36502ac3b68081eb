import type { ClientCall, Endpoint, FieldUse, Mount, Route } from '#code/formats/shared/data-facts.ts';
import { constraintsOf, joinPaths, parameter, plainPath } from '#code/formats/shared/route-path.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import {
  bindingsIn,
  type Call,
  callAt,
  descendants,
  dictionaryKeys,
  dotted,
  formattedString,
  stringOf,
} from './tree.ts';

type LineOf = (offset: number) => number;

const methods = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head']);

export type Routers = Map<
  string,
  { readonly framework: string; readonly prefix: string; readonly isApp: boolean }
>;

/** `app = FastAPI()`, `router = APIRouter(prefix='/users')`, `bp = Blueprint('users', __name__, url_prefix='/users')`. */
export function routersIn(tree: SyntaxTree): Routers {
  const found: Routers = new Map();
  for (const node of descendants(tree, 0)) {
    if (tree.kind(node) !== 'assignment') continue;
    const call = callAt(tree, tree.child(node, 'right'));
    const maker = call?.name.split('.').at(-1) ?? '';
    const prefix = stringOf(tree, call?.keywords.get('prefix') ?? call?.keywords.get('url_prefix')) ?? '';
    const name = tree.textOf(tree.child(node, 'left'));
    if (maker === 'FastAPI') found.set(name, { framework: 'FastAPI', prefix: '', isApp: true });
    else if (maker === 'APIRouter') found.set(name, { framework: 'FastAPI', prefix, isApp: false });
    else if (maker === 'Flask') found.set(name, { framework: 'Flask', prefix: '', isApp: true });
    else if (maker === 'Blueprint') found.set(name, { framework: 'Flask', prefix, isApp: false });
  }
  return found;
}

/** `@app.get('/users/{id}') def read(…)`. */
export function routesAt(
  tree: SyntaxTree,
  node: NodeId,
  routers: Routers,
  imports: ReadonlyMap<string, string>,
  lineOf: LineOf,
): Route[] {
  if (tree.kind(node) !== 'decorated_definition') return [];
  const handler = tree.child(node, 'definition');
  return tree.children(node).flatMap((each): Route[] => {
    const call = tree.kind(each) === 'decorator' ? callAt(tree, tree.firstChild(each)) : null;
    const [, router = '', method = ''] = /^(.*)\.(\w+)$/.exec(call?.name ?? '') ?? [];
    const path = stringOf(tree, call?.args[0] ?? call?.keywords.get('path'));
    const own = routers.get(router);
    const from = own ? undefined : imports.get(router);
    if (!call || path === null || !(own || (from && path.startsWith('/')))) return [];
    if (!/^(?:api_)?route$/.test(method) && !methods.has(method)) return [];
    return methodsOf(tree, call, method).map((verb) => ({
      framework: own?.framework ?? 'unknown',
      method: verb,
      path: joinPaths(own?.prefix ?? '', path),
      ...constraintsOf(path, false),
      router,
      ...functionOf(tree, node, router),
      ...(own ? { isOwn: true as const } : {}),
      ...(from ? { from } : {}),
      ends: true as const,
      ...(own?.framework === 'FastAPI' ? { ordered: true as const } : {}),
      ...mentionsIn(tree, handler, call),
      line: lineOf(tree.start(each)),
    }));
  });
}

/** Views of Flask whose names are certain: nothing stands between the route and a function at the top of the file. */
export function endpointsAt(tree: SyntaxTree, node: NodeId, routers: Routers, lineOf: LineOf): Endpoint[] {
  const decorator = tree.children(node).findLast((each) => tree.kind(each) === 'decorator');
  const call = decorator === undefined ? null : callAt(tree, tree.firstChild(decorator));
  const [, router = '', method = ''] = /^(.*)\.(\w+)$/.exec(call?.name ?? '') ?? [];
  const path = stringOf(tree, call?.args[0]);
  if (!call || decorator === undefined || path === null || tree.kind(tree.parent(node)) !== 'module')
    return [];
  if (routers.get(router)?.framework !== 'Flask' || !(method === 'route' || methods.has(method))) return [];
  const given = call.keywords.get('endpoint');
  const name =
    given === undefined
      ? tree.textOf(tree.child(tree.child(node, 'definition'), 'name'))
      : stringOf(tree, given);
  return name ? [{ router, name, path, line: lineOf(tree.start(decorator)) }] : [];
}

/** The innermost function around a route that creates its router. */
function functionOf(tree: SyntaxTree, node: NodeId, router: string): { within?: string } {
  for (let at = tree.parent(node); at !== none; at = tree.parent(at)) {
    if (tree.kind(at) !== 'function_definition') continue;
    for (const each of descendants(tree, at))
      if (tree.kind(each) === 'assignment' && tree.textOf(tree.child(each, 'left')) === router)
        return { within: tree.textOf(tree.child(at, 'name')) };
  }
  return {};
}

function methodsOf(tree: SyntaxTree, call: Call, method: string): string[] {
  if (methods.has(method)) return [method.toUpperCase()];
  const listed = call.keywords.get('methods');
  if (listed === undefined) return ['GET'];
  return tree.children(listed).flatMap((each) => stringOf(tree, each)?.toUpperCase() ?? []);
}

function mentionsIn(tree: SyntaxTree, handler: NodeId, call: Call): { mentions?: string[] } {
  const model = call.keywords.get('response_model');
  const names = new Set<string>();
  for (const root of [handler, ...(model === undefined ? [] : [call.node])])
    for (const node of root === none ? [] : descendants(tree, root))
      if (tree.kind(node) === 'identifier' && /^[A-Z][a-z]/.test(tree.textOf(node)))
        names.add(tree.textOf(node));
  return names.size === 0 ? {} : { mentions: [...names].sort().slice(0, 20) };
}

/** `app.include_router(users.router, prefix='/v1')`, `app.register_blueprint(users)`. */
export function mountAt(
  tree: SyntaxTree,
  node: NodeId,
  routers: Routers,
  imports: ReadonlyMap<string, string>,
  lineOf: LineOf,
): Mount[] {
  const call = callAt(tree, node);
  const [, router = '', method] = /^(.*)\.(include_router|register_blueprint)$/.exec(call?.name ?? '') ?? [];
  if (!call || method === undefined || !routers.has(router)) return [];
  const child = dotted(tree, call.args[0] ?? none);
  const [root = ''] = child.split('.');
  const prefix = stringOf(tree, call.keywords.get('prefix') ?? call.keywords.get('url_prefix')) ?? '';
  const from = routers.has(child) ? null : (imports.get(root) ?? null);
  if (from === null && !routers.has(child)) return [];
  return [{ router, prefix: plainPath(prefix), child, from, line: lineOf(tree.start(node)) }];
}

/** `requests.post('http://localhost/orders', json={…})`, `httpx.get(f'/users/{id}')`. */
export function clientCallAt(tree: SyntaxTree, node: NodeId, clients: Clients, lineOf: LineOf): ClientCall[] {
  const call = callAt(tree, node);
  const [, client = '', method = ''] = /^(\w+)\.(\w+)$/.exec(call?.name ?? '') ?? [];
  if (!call || !methods.has(method) || !(/^(?:requests|httpx)$/.test(client) || clients.has(client)))
    return [];
  const written = formattedString(tree, call.args[0] ?? none, parameter);
  if (written === null || (/^https?:/.test(written) && !/^https?:\/\/(?:localhost|127\.)/.test(written)))
    return [];
  const body = bodyOf(tree, call.keywords.get('json') ?? call.keywords.get('data'));
  const own = plainPath(written.replace(new RegExp(`^${parameter}(?=/)`), ''));
  const path = joinPaths(clients.get(client) ?? '', own);
  return [{ client, method: method.toUpperCase(), path, body, line: lineOf(tree.start(node)) }];
}

function bodyOf(tree: SyntaxTree, value: NodeId | undefined): string[] | null {
  return value === undefined ? [] : (dictionaryKeys(tree, value)?.keys ?? null);
}

/** Clients by variable, each with the common prefix of its paths. */
export type Clients = ReadonlyMap<string, string>;

/** `with httpx.Client() as client`, `client = httpx.AsyncClient(base_url='/api')`, `session = requests.Session()`. */
export function clientsIn(tree: SyntaxTree): Clients {
  const found = new Map<string, string>();
  for (const node of descendants(tree, 0)) {
    const made = tree.kind(node) === 'assignment' ? tree.child(node, 'right') : node;
    const call = callAt(tree, made);
    if (!/^(?:httpx\.(?:Async)?Client|requests\.Session|TestClient)$/.test(call?.name ?? '')) continue;
    const [, alias] = /^\s*as\s+(\w+)/.exec(tree.text.slice(tree.end(made))) ?? [];
    const name = tree.kind(node) === 'assignment' ? tree.textOf(tree.child(node, 'left')) : alias;
    const base = stringOf(tree, call?.keywords.get('base_url')) ?? '';
    if (name !== undefined) found.set(name, base.replace(/^https?:\/\/[^/]+/, ''));
  }
  return found;
}

/** Fields that are read from the answer of a call: `user = httpx.get('/users/1').json()`, then `user['name']` or `user.get('name')`. */
export function answerUses(tree: SyntaxTree, clients: Clients, lineOf: LineOf): FieldUse[] {
  const answers = new Map<string, string>();
  const found: FieldUse[] = [];
  /** The route that a value came from: a call, a member of its result, or a variable that holds it. */
  const behind = (value: NodeId): string | undefined => {
    for (let each = value; each !== none; ) {
      const [call] = clientCallAt(tree, each, clients, lineOf);
      if (call) return `${call.method} ${call.path}`;
      switch (tree.kind(each)) {
        case 'identifier':
          return answers.get(tree.textOf(each));
        case 'await':
        case 'parenthesized_expression':
          each = tree.firstChild(each);
          break;
        case 'call': {
          const method = tree.child(each, 'function');
          if (!/^(?:json|raise_for_status)$/.test(attributeOf(tree, method))) return undefined;
          each = tree.child(method, 'object');
          break;
        }
        default:
          return undefined;
      }
    }
    return undefined;
  };
  const read = (value: NodeId, name: string | null, at: NodeId) => {
    const route = name === null ? undefined : behind(value);
    if (name !== null && route !== undefined)
      found.push({ kind: 'route', of: route, name, via: 'a client', line: lineOf(tree.start(at)) });
  };
  const bind = (node: NodeId) => {
    const route = behind(tree.child(node, 'right'));
    const name = tree.textOf(tree.child(node, 'left'));
    if (route !== undefined) answers.set(name, route);
    else answers.delete(name);
  };
  for (const node of descendants(tree, 0)) {
    for (const each of bindingsIn(tree, node)) bind(each);
    switch (tree.kind(node)) {
      case 'subscript':
        read(tree.child(node, 'value'), stringOf(tree, tree.child(node, 'subscript')), node);
        break;
      case 'call': {
        const method = tree.child(node, 'function');
        if (attributeOf(tree, method) === 'get')
          read(tree.child(method, 'object'), stringOf(tree, callAt(tree, node)?.args[0]), node);
      }
    }
  }
  return found;
}

/** `json` for `answer.json`; otherwise empty. */
function attributeOf(tree: SyntaxTree, node: NodeId): string {
  return tree.kind(node) === 'attribute' ? tree.textOf(tree.child(node, 'attribute')) : '';
}
