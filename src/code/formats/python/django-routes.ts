import type { Mount, Route } from '#code/formats/shared/data-facts.ts';
import { constraintsOf, plainPath } from '#code/formats/shared/route-path.ts';
import { type NodeId, none, type SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { callAt, dotted, stringOf } from './tree.ts';

type LineOf = (offset: number) => number;

/** `path('users/<int:id>/', view)`, `re_path(r'^users/(?P<id>\\d+)/$', view)`. */
export function djangoRoute(tree: SyntaxTree, node: NodeId, lineOf: LineOf): Route[] {
  const call = callAt(tree, node);
  if (!call || !/^(?:re_)?path$|^url$/.test(call.name) || call.args.length < 2) return [];
  const written = stringOf(tree, call.args[0]);
  if (written === null || callAt(tree, call.args[1] ?? none)?.name === 'include') return [];
  const [router, line] = [listAround(tree, node), lineOf(tree.start(node))];
  if (call.name === 'path') return [djangoAt(written, constraintsOf(written, false), router, line)];
  const path = pathOfPattern(written);
  return path === null ? [] : [djangoAt(path, groupsOf(written), router, line)];
}

function djangoAt(path: string, only: { constraints?: string }, router: string, line: number): Route {
  return {
    framework: 'Django',
    method: 'ALL',
    path: plainPath(path),
    ...only,
    router,
    isOwn: true,
    ends: true,
    ordered: true,
    line,
  };
}

const group = /\((?:\?P<\w+>)?((?:[^()\\]|\\.)*)\)/g;

/** `users/<>/` for `^users/(?P<id>\\d+)/$`; null for a pattern of more than words and groups. */
function pathOfPattern(pattern: string): string | null {
  const path = pattern.replace(/^\^/, '').replace(/\$$/, '').replace(group, '<>');
  return /^(?:[\w/.-]|<>)*$/.test(path) ? path : null;
}

/** What the groups of a pattern accept, and whether the pattern ends there. */
function groupsOf(pattern: string): { constraints?: string } {
  const groups = [...pattern.matchAll(group)].map(([, inner = '']) => (inner === '[^/]+' ? '' : inner));
  const end = /\/\$?$/.test(pattern) ? '/' : '';
  const open = pattern.endsWith('$') ? '' : '…';
  const constraints = `${groups.join().replace(/^,+$/, '')}${end}${open}`;
  return constraints === '' ? {} : { constraints };
}

/** Routers of the REST framework that a file creates: `router = DefaultRouter()`. */
export function restRouters(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^[ \t]{0,200}(\w+)[ \t]*=\s*(?:\w+\.)*(?:Default|Simple)Router\(/gm)].map(
      ([, name = '']) => name,
    ),
  );
}

/** `router.register(r'users', UserViewSet)` serves a list and its items. */
export function restRoutes(
  tree: SyntaxTree,
  node: NodeId,
  routers: ReadonlySet<string>,
  lineOf: LineOf,
): Route[] {
  const call = callAt(tree, node);
  const [, router = ''] = /^(\w+)\.register$/.exec(call?.name ?? '') ?? [];
  const prefix = stringOf(tree, call?.args[0] ?? call?.keywords.get('prefix'));
  if (!routers.has(router) || prefix === null) return [];
  const line = lineOf(tree.start(node));
  const path = pathOfPattern(prefix);
  const paths = path === null ? [] : [`${path}/`, `${path}/<pk>/`];
  return paths.map((each) => djangoAt(each, { constraints: '/' }, router, line));
}

/** `path('shop/', include('shop.urls'))`, `path('api/', include(router.urls))`. */
export function djangoMount(
  tree: SyntaxTree,
  node: NodeId,
  imports: ReadonlyMap<string, string>,
  lineOf: LineOf,
): Mount[] {
  const call = callAt(tree, node);
  const isPath = /^(?:re_)?path$|^url$/.test(call?.name ?? '');
  const included = isPath ? callAt(tree, call?.args[1] ?? none) : null;
  const written = stringOf(tree, call?.args[0]);
  const prefix = written !== null && call?.name !== 'path' ? pathOfPattern(written) : written;
  if (included?.name !== 'include' || prefix === null) return [];
  const [target = none] = included.args;
  // `include(('shop.urls', 'shop'))` also names the application.
  const named = tree.kind(target) === 'tuple' ? tree.firstChild(target) : target;
  const child = stringOf(tree, named) ?? dotted(tree, named);
  if (child === '') return [];
  const [router, line] = [listAround(tree, node), lineOf(tree.start(node))];
  if (tree.kind(named) === 'string')
    return [{ router, prefix: plainPath(prefix), child: 'urlpatterns', from: child, line }];
  const own = child.replace(/\.urls$/, '');
  const from = imports.get(own.split('.')[0] ?? '') ?? null;
  return [{ router, prefix: plainPath(prefix), child: own, from, line }];
}

/** `urlpatterns = router.urls`, `urlpatterns += router.urls`. */
export function restMount(
  tree: SyntaxTree,
  node: NodeId,
  imports: ReadonlyMap<string, string>,
  lineOf: LineOf,
): Mount[] {
  if (!/^(?:augmented_)?assignment$/.test(tree.kind(node))) return [];
  const list = tree.textOf(tree.child(node, 'left'));
  if (!/^\w*urlpatterns$/.test(list)) return [];
  const added = tree.textOf(tree.child(node, 'right')).matchAll(/(?:^|\+\s*)(\w+)\.urls\b/g);
  return [...added].map(([, child = '']) => ({
    router: list,
    prefix: '/',
    child,
    from: imports.get(child) ?? null,
    line: lineOf(tree.start(node)),
  }));
}

/** The variable of the list that contains a call. */
function listAround(tree: SyntaxTree, node: NodeId): string {
  for (let at = tree.parent(node); at !== none; at = tree.parent(at)) {
    const kind = tree.kind(at);
    if (kind === 'assignment' || kind === 'augmented_assignment') return tree.textOf(tree.child(at, 'left'));
  }
  return 'urlpatterns';
}
