import { documentKind } from '#code/formats/graphql/document-kind.ts';
import type {
  DataFacts,
  Endpoint,
  Entity,
  FieldUse,
  GraphqlDocument,
  Mount,
  Route,
  Step,
  TopicUse,
  VersionConstant,
} from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { isVersionName } from '#code/formats/shared/version-name.ts';
import { readSqlString } from '#code/formats/sql/index.ts';
import { looksLikeSql } from '#code/formats/sql/sql-text.ts';
import { loadParser } from '#code/languages/python/parser.ts';
import type { NodeId, SyntaxTree } from '#code/languages/tree-sitter/syntax-tree.ts';
import { djangoMount, djangoRoute, restMount, restRouters, restRoutes } from './django-routes.ts';
import { topicsIn } from './events.ts';
import { alembicRelations, alembicSteps, djangoSteps } from './migrations.ts';
import {
  answerUses,
  clientCallAt,
  clientsIn,
  endpointsAt,
  mountAt,
  type Routers,
  routersIn,
  routesAt,
} from './routes.ts';
import { modelReads, queryFields, shapeAt } from './shapes.ts';
import { callAt, formattedString, stringOf } from './tree.ts';

const words =
  /\b(?:__tablename__|models\.(?:Model|\w+Field|ForeignKey)|BaseModel|TypedDict|dataclass|define|strawberry|ObjectType|FastAPI|APIRouter|Flask|Blueprint|urlpatterns|gql|requests|httpx|TestClient|emit|publish|subscribe|Kafka\w+|producer|basic_\w+|shared_task|task|delay|apply_async|send_task|(?:Default|Simple)Router|objects|filter_by|query|[sS]ession|op|migrations|SELECT|select|INSERT|insert|UPDATE|update|DELETE|delete|\w+_VERSION)\b|\.(?:on|listen|route|get|post|put|patch|delete)\(/;

const makesRouters = /\b(?:FastAPI|APIRouter|Flask|Blueprint)\b/;
const sendsOrListens =
  /\b(?:emit|publish|send_event|dispatch|KafkaConsumer|KafkaProducer|produce|producer|subscribe|basic_publish|basic_consume|shared_task|task|delay|apply_async|send_task)\b|\.(?:on|listen)\(/;
const asksModels = /\b(?:objects|query|select)\b|\.get(?:_one)?\([A-Z]/;
const callsServers = /\b(?:requests|httpx|TestClient)\b/;

/** The shared data in Python. */
export async function readPython(path: string, text: string): Promise<DataFacts | null> {
  if (!words.test(text)) return null;
  const { parse } = await loadParser();
  const { tree, broken } = parse(text);
  if (broken !== null) return null;
  const lineOf = lineFinder(text);
  const app = appOf(path);
  const steps = migrationSteps(path, tree, app, lineOf);
  if (steps) {
    const relations = alembicRelations(tree, lineOf);
    return steps.length + relations.length === 0
      ? null
      : { steps, ...(relations.length === 0 ? {} : { relations }) };
  }
  const routers: Routers = makesRouters.test(text) ? routersIn(tree) : new Map();
  const asksServers = callsServers.test(text);
  const clients = asksServers ? clientsIn(tree) : new Map<string, string>();
  const imports = importsOf(text);
  const entities: Entity[] = [];
  const routes: Route[] = [];
  const endpoints: Endpoint[] = [];
  const mounts: Mount[] = [];
  const topics: TopicUse[] = sendsOrListens.test(text) ? topicsIn(path, tree, imports, lineOf) : [];
  const uses: FieldUse[] = asksServers ? [...answerUses(tree, clients, lineOf)] : [];
  const calls = [];
  const documents: GraphqlDocument[] = [];
  const isUrls = /(?:^|\/)urls\.py$|(?:^|\/)urls\/\w+\.py$/.test(path);
  const rest = restRouters(text);
  const hasDocuments = /gql\b/.test(tree.text);
  for (let node: NodeId = 0; node < tree.size; node++) {
    const kind = tree.kind(node);
    if (kind === 'class_definition') entities.push(...shapeAt(tree, node, app, lineOf));
    else if (kind === 'decorated_definition') {
      routes.push(...routesAt(tree, node, routers, imports, lineOf));
      endpoints.push(...endpointsAt(tree, node, routers, lineOf));
    } else if (kind === 'call') {
      if (isUrls) routes.push(...djangoRoute(tree, node, lineOf));
      if (rest.size > 0) routes.push(...restRoutes(tree, node, rest, lineOf));
      mounts.push(
        ...(routers.size > 0 ? mountAt(tree, node, routers, imports, lineOf) : []),
        ...(isUrls ? djangoMount(tree, node, imports, lineOf) : []),
      );
      if (asksServers) calls.push(...clientCallAt(tree, node, clients, lineOf));
      if (hasDocuments) documents.push(...documentAt(tree, node, lineOf));
    } else if (isUrls) mounts.push(...restMount(tree, node, imports, lineOf));
    const query = queryFields(tree, node);
    for (const name of query?.names ?? [])
      uses.push({
        kind: 'entity',
        of: query?.model ?? '',
        name,
        via: 'a query',
        line: lineOf(tree.start(node)),
      });
    const sql = kind === 'string' ? formattedString(tree, node, '$1') : null;
    if (sql !== null && looksLikeSql.test(sql))
      uses.push(...(await readSqlString(sql, lineOf(tree.start(node)))));
  }
  if (asksModels.test(text))
    for (const { model, name, node } of modelReads(tree))
      uses.push({
        kind: 'entity',
        of: model,
        name,
        via: 'an attribute of a model',
        line: lineOf(tree.start(node)),
      });
  const all = {
    entities,
    routes,
    endpoints,
    mounts,
    topics,
    uses,
    calls,
    documents,
    versions: versionsIn(tree, lineOf),
  };
  const kept = Object.entries(all).filter(([, list]) => list.length > 0);
  return kept.length === 0 ? null : Object.fromEntries(kept);
}

/** `gql("""query { … }""")`. */
function documentAt(tree: SyntaxTree, node: NodeId, lineOf: (offset: number) => number): GraphqlDocument[] {
  const call = callAt(tree, node);
  if (call?.name.split('.').at(-1) !== 'gql') return [];
  const text = stringOf(tree, call.args[0]);
  return text === null
    ? []
    : [{ kind: documentKind(text), text, line: lineOf(tree.start(call.args[0] ?? node)) }];
}

/** Null for a file that is not a migration. */
function migrationSteps(
  path: string,
  tree: SyntaxTree,
  app: string,
  lineOf: (offset: number) => number,
): Step[] | null {
  if (/^down_revision\b/m.test(tree.text)) return alembicSteps(tree, lineOf);
  return /(?:^|\/)migrations\/[^/]+\.py$/.test(path) ? djangoSteps(tree, app, lineOf) : null;
}

/** The Django app that a file belongs to: the folder above `models.py` or `migrations/`. */
function appOf(path: string): string {
  const parts = path.split('/').slice(0, -1);
  while (/^(?:migrations|models)$/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.at(-1) ?? '';
}

/** `from app.users import router as users`: by the local name. */
function importsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, module = '', list = ''] of text.matchAll(
    /^from\s+([\w.]+)\s+import\s+\(?([^()\n]+|[^()]+)\)?/gm,
  ))
    for (const part of list.split(',')) {
      const [, name, alias] = /^\s*(\w+)(?:\s+as\s+(\w+))?/.exec(part) ?? [];
      if (name !== undefined) found.set(alias ?? name, `${module}.${name}`);
    }
  return found;
}

function versionsIn(tree: SyntaxTree, lineOf: (offset: number) => number): VersionConstant[] {
  return tree.children(0).flatMap((statement): VersionConstant[] => {
    const each = tree.kind(statement) === 'expression_statement' ? tree.firstChild(statement) : statement;
    if (tree.kind(each) !== 'assignment') return [];
    const name = tree.textOf(tree.child(each, 'left'));
    const value = tree.child(each, 'right');
    const written = tree.kind(value) === 'integer' ? tree.textOf(value) : stringOf(tree, value);
    return isVersionName(name) && written !== null
      ? [{ name, value: written, line: lineOf(tree.start(each)) }]
      : [];
  });
}
