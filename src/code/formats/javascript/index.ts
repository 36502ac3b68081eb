import { documentKind } from '#code/formats/graphql/document-kind.ts';
import { typesIn } from '#code/formats/graphql/index.ts';
import type {
  ClientCall,
  DataFacts,
  Entity,
  FieldUse,
  GraphqlDocument,
  Mount,
  Route,
  TopicUse,
  VersionConstant,
} from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { isVersionName } from '#code/formats/shared/version-name.ts';
import { readSqlString } from '#code/formats/sql/index.ts';
import { looksLikeSql } from '#code/formats/sql/sql-text.ts';
import { answerUses, type Clients, clientCall, noteClient, reduxCase, topicUse } from './clients.ts';
import { isNode, memberPath, type Node, node, nodes, textWith, walk } from './estree.ts';
import { prismaUses } from './orm-uses.ts';
import { parseScript } from './parse-script.ts';
import { isNextFile, mountOf, nestRoutes, nextRoutes, noteRouter, type Routers, routeOf } from './routes.ts';
import { shapeOf } from './shapes.ts';

/** A file without any of these words says nothing about data that others share. */
const words =
  /\b(?:interface|type\s+\w+\s*=\s*\{|\w*(?:Dto|DTO|Input|Request|Response|Payload|Schema)|z\.(?:object|strictObject)|pgTable|mysqlTable|sqliteTable|Entity|Controller|express|Router|Hono|[fF]astify|router|app|fetch|axios|ky|got|emit|publish|subscribe|payload|prisma|gql|graphql|SELECT|select|INSERT|insert|UPDATE|update|DELETE|delete|\w+_VERSION|\w+Version)\b|\.(?:on|once)\(/;

/** Without any of these a file calls no server. */
const callers = /fetch\b|\b(?:axios|ky|got)\b/;

/** The nodes that a reader of this folder looks at. Nearly all others are names and members. */
const telling = new Set([
  'ImportDeclaration',
  'VariableDeclarator',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'CallExpression',
  'ObjectExpression',
  'SwitchCase',
  'Literal',
  'TemplateLiteral',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/** What TypeScript and JavaScript say about shared data. */
export async function readScript(path: string, text: string): Promise<DataFacts | null> {
  if (!words.test(text) && !isNextFile(path)) return null;
  const program = await parseScript(path, text);
  if (!program) return null;
  const lineOf = lineFinder(text);
  const routers: Routers = { made: new Map(), imports: new Map() };
  const clients: Clients = new Map();
  const met: [each: Node, parent: Node | null][] = [];
  walk(program, (each, parent) => {
    if (!telling.has(each.type)) return;
    noteRouter(each, routers);
    noteClient(each, clients);
    met.push([each, parent]);
  });
  const mayCall = clients.size > 0 || callers.test(text);
  const found = new Findings();
  for (const [each, parent] of met) {
    found.entities.push(...shapeOf(each, parent, lineOf));
    found.routes.push(...routeOf(each, routers, lineOf), ...nestRoutes(each, lineOf));
    found.mounts.push(...mountOf(each, routers, lineOf));
    found.calls.push(...clientCall(each, clients, lineOf));
    found.topics.push(...topicUse(each, lineOf), ...reduxCase(each, lineOf));
    found.uses.push(...prismaUses(each, lineOf));
    if (mayCall) found.uses.push(...outermost(each, parent, clients, lineOf));
    found.versions.push(...versionOf(each, lineOf));
    found.noteText(each, parent, lineOf);
  }
  if (isNextFile(path)) found.routes.push(...nextRoutes(path, exportedNames(program)));
  for (const { text: sql, line } of found.sql) found.uses.push(...(await readSqlString(sql, line)));
  for (const { kind, text: document, line } of found.documents)
    if (kind === 'types') found.entities.push(...(await typesIn(document, line)));
  return found.facts();
}

class Findings {
  readonly entities: Entity[] = [];
  readonly uses: FieldUse[] = [];
  readonly routes: Route[] = [];
  readonly mounts: Mount[] = [];
  readonly calls: ClientCall[] = [];
  readonly topics: TopicUse[] = [];
  readonly versions: VersionConstant[] = [];
  readonly documents: GraphqlDocument[] = [];
  readonly sql: { readonly text: string; readonly line: number }[] = [];

  noteText(each: Node, parent: Node | null, lineOf: (offset: number) => number): void {
    if (each.type !== 'Literal' && each.type !== 'TemplateLiteral') return;
    const tag = parent?.type === 'TaggedTemplateExpression' ? memberPath(parent.tag)?.at(-1) : undefined;
    const called = parent?.type === 'CallExpression' ? memberPath(parent.callee)?.at(-1) : undefined;
    const line = lineOf(each.start);
    if (tag === 'gql' || tag === 'graphql' || called === 'gql' || called === 'graphql') {
      // A value in a document is a fragment that is defined elsewhere.
      const text = textWith(each, '');
      if (text !== null) this.documents.push({ kind: documentKind(text), text, line });
      return;
    }
    const text = textWith(each, '$1');
    if (text !== null && looksLikeSql.test(text)) this.sql.push({ text, line });
  }

  facts(): DataFacts | null {
    const { entities, uses, routes, mounts, calls, topics, versions, documents } = this;
    const all = { entities, uses, routes, mounts, calls, topics, versions, documents };
    const kept = Object.entries(all).filter(([, list]) => list.length > 0);
    return kept.length === 0 ? null : Object.fromEntries(kept);
  }
}

/** Answers are followed in the outermost function alone: what is nested in it is read with it. */
function outermost(
  each: Node,
  parent: Node | null,
  clients: Clients,
  lineOf: (offset: number) => number,
): FieldUse[] {
  const isOutermost =
    parent === null ||
    /^(?:Program|Export\w+|VariableDeclarator|MethodDefinition|Property|PropertyDefinition|CallExpression)$/.test(
      parent.type,
    );
  return isOutermost ? answerUses(each, clients, lineOf) : [];
}

function versionOf(each: Node, lineOf: (offset: number) => number): VersionConstant[] {
  if (each.type !== 'VariableDeclarator') return [];
  const name = String(node(each.id)?.name ?? '');
  const value = node(each.init);
  if (!isVersionName(name) || value?.type !== 'Literal') return [];
  return [{ name, value: String(value.value), line: lineOf(each.start) }];
}

function exportedNames(program: Node): string[] {
  return nodes(program.body).flatMap((each) => {
    if (each.type !== 'ExportNamedDeclaration') return [];
    const declared = node(each.declaration);
    const own = declared?.type === 'FunctionDeclaration' ? [String(node(declared.id)?.name)] : [];
    const variables = nodes(declared?.declarations).map((one) => String(node(one.id)?.name));
    const listed = nodes(each.specifiers).map((one) => String(isNode(one.exported) ? one.exported.name : ''));
    return [...own, ...variables, ...listed];
  });
}
