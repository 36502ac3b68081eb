import { documentKind } from '#code/formats/graphql/document-kind.ts';
import { typesIn } from '#code/formats/graphql/index.ts';
import type {
  ClientCall,
  DataFacts,
  Entity,
  FieldUse,
  GraphqlDocument,
  Mount,
  Relation,
  Route,
  TopicUse,
  VersionConstant,
} from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { isVersionName } from '#code/formats/shared/version-name.ts';
import { readSqlString } from '#code/formats/sql/index.ts';
import { looksLikeSql } from '#code/formats/sql/sql-text.ts';
import { answerUses, type Clients, clientCall, noteClient } from './clients.ts';
import { isNode, memberPath, type Node, node, nodes, textWith, walk } from './estree.ts';
import { type Channels, noChannels, noteChannel, topicUses } from './events.ts';
import { type KnexFile, knexIn, knexUses } from './knex.ts';
import { nestRoutes } from './nest.ts';
import { isNextFile, nextRoutes } from './next.ts';
import {
  drizzleTables,
  drizzleUses,
  prismaModel,
  prismaUses,
  repositoriesIn,
  resolverUses,
  typeormUses,
} from './orm-uses.ts';
import { parseScript } from './parse-script.ts';
import { mountOf, noRouters, noteRouter, type Routers, routeOf } from './routes.ts';
import { drizzleRelations, shapeOf } from './shapes.ts';

/** A file without any of these words describes no shared data. */
const words =
  /\b(?:interface|type\s+\w+\s*=\s*\{|\w*(?:Dto|DTO|Input|Request|Response|Payload|Schema)|z\.(?:object|strictObject)|pgTable|mysqlTable|sqliteTable|Entity|Repository|getRepository|Controller|express|Router|Hono|[fF]astify|router|app|fetch|axios|ky|got|emit|publish|subscribe|sendToQueue|consume|producer|consumer|dispatch|createSlice|addCase|EventPattern|MessagePattern|OnEvent|Processor|payload|\w*Queue|Worker|prisma|[rR]esolvers|gql|graphql|GraphQL|knex|SELECT|select|INSERT|insert|UPDATE|update|DELETE|delete|\w+_VERSION|\w+Version)\b|\.(?:on|once)\(/;

/** Relevant nodes; all others are only traversed. */
const tells = new Set([
  'ImportDeclaration',
  'VariableDeclarator',
  'CallExpression',
  'NewExpression',
  'ClassDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'ObjectExpression',
  'SwitchCase',
  'Literal',
  'TemplateLiteral',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
]);

/** The shared data in TypeScript and JavaScript. */
export async function readScript(path: string, text: string): Promise<DataFacts | null> {
  if (!words.test(text) && !isNextFile(path)) return null;
  const program = await parseScript(path, text);
  if (!program) return null;
  const lineOf = lineFinder(text);
  const routers = noRouters();
  const clients: Clients = new Map();
  const channels = noChannels();
  const telling: [each: Node, parent: Node | null][] = [];
  walk(program, (each, parent) => {
    if (!tells.has(each.type)) return;
    telling.push([each, parent]);
    noteRouter(each, routers);
    noteClient(each, clients);
    noteChannel(each, channels);
  });
  const repositories = repositoriesIn(text);
  const knex = knexIn(text);
  const found = new Findings(markedDocuments(text));
  for (const [each, parent] of telling)
    found.note(each, parent, { routers, clients, channels, repositories, knex }, lineOf);
  // Without a client call or a Prisma query there is no answer to read.
  if (found.calls.length > 0 || found.asksPrisma)
    for (const [each, parent] of telling) found.uses.push(...outermost(each, parent, clients, lineOf));
  // Tables of a schema are imported; other objects with such methods are mostly created in the same file.
  const tables = new Set(
    telling.flatMap(([each]) => drizzleTables(each)).filter((name) => routers.imports.has(name)),
  );
  if (tables.size > 0) found.uses.push(...drizzleUses(program, tables, lineOf));
  if (isNextFile(path)) found.routes.push(...nextRoutes(path, exportedNames(program)));
  for (const { text: sql, line } of found.sql) found.uses.push(...(await readSqlString(sql, line)));
  for (const { kind, text: document, line } of found.documents)
    if (kind === 'types') found.entities.push(...(await typesIn(document, line)));
  return found.facts();
}

/** What the whole file creates, by variable. */
interface Noted {
  readonly routers: Routers;
  readonly clients: Clients;
  readonly channels: Channels;
  readonly repositories: ReadonlyMap<string, string>;
  readonly knex: KnexFile;
}

/** Where texts marked as GraphQL for editors and generators begin: after the comment GraphQL in front of a template. */
function markedDocuments(text: string): ReadonlySet<number> {
  if (!text.includes('GraphQL')) return new Set();
  return new Set(
    [...text.matchAll(/\/\* ?GraphQL ?\*\/ ?/g)].map(({ 0: mark, index }) => index + mark.length),
  );
}

class Findings {
  readonly #marked: ReadonlySet<number>;
  readonly entities: Entity[] = [];
  readonly relations: Relation[] = [];
  readonly uses: FieldUse[] = [];
  readonly routes: Route[] = [];
  readonly mounts: Mount[] = [];
  readonly calls: ClientCall[] = [];
  readonly topics: TopicUse[] = [];
  readonly versions: VersionConstant[] = [];
  readonly documents: GraphqlDocument[] = [];
  readonly sql: { readonly text: string; readonly line: number }[] = [];
  asksPrisma = false;

  constructor(marked: ReadonlySet<number>) {
    this.#marked = marked;
  }

  note(
    each: Node,
    parent: Node | null,
    { routers, clients, channels, repositories, knex }: Noted,
    lineOf: (offset: number) => number,
  ): void {
    this.topics.push(...topicUses(each, channels, lineOf));
    switch (each.type) {
      case 'Literal':
      case 'TemplateLiteral':
        this.#noteText(each, parent, lineOf);
        return;
      case 'CallExpression':
        this.routes.push(...routeOf(each, routers, lineOf));
        this.mounts.push(...mountOf(each, routers, lineOf));
        this.calls.push(...clientCall(each, clients, lineOf));
        this.uses.push(
          ...prismaUses(each, lineOf),
          ...typeormUses(each, repositories, lineOf),
          ...knexUses(each, knex, lineOf),
        );
        this.asksPrisma ||= prismaModel(each) !== null;
        return;
      default:
        this.entities.push(...shapeOf(each, lineOf));
        if (each.type === 'VariableDeclarator') this.relations.push(...drizzleRelations(each, lineOf));
        this.routes.push(...nestRoutes(each, lineOf));
        this.versions.push(...versionOf(each, lineOf));
        this.uses.push(...resolverUses(each, lineOf));
    }
  }

  #noteText(each: Node, parent: Node | null, lineOf: (offset: number) => number): void {
    const tag = parent?.type === 'TaggedTemplateExpression' ? memberPath(parent.tag)?.at(-1) : undefined;
    const called = parent?.type === 'CallExpression' ? memberPath(parent.callee)?.at(-1) : undefined;
    const line = () => lineOf(each.start);
    const isDocument = [tag, called].some((name) => name === 'gql' || name === 'graphql');
    if (isDocument || this.#marked.has(each.start)) {
      // A value in a document is a fragment defined elsewhere.
      const text = textWith(each, '');
      if (text !== null) this.documents.push({ kind: documentKind(text), text, line: line() });
      return;
    }
    const text = textWith(each, '$1');
    if (text !== null && looksLikeSql.test(text)) this.sql.push({ text, line: line() });
  }

  facts(): DataFacts | null {
    const { entities, relations, uses, routes, mounts, calls, topics, versions, documents } = this;
    const all = { entities, relations, uses, routes, mounts, calls, topics, versions, documents };
    const kept = Object.entries(all).filter(([, list]) => list.length > 0);
    return kept.length === 0 ? null : Object.fromEntries(kept);
  }
}

/** Answers are followed only from the outermost function, which includes the functions nested in it. */
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
    if (each.type === 'ExportDefaultDeclaration') return ['default'];
    if (each.type !== 'ExportNamedDeclaration') return [];
    const declared = node(each.declaration);
    const own = declared?.type === 'FunctionDeclaration' ? [String(node(declared.id)?.name)] : [];
    const variables = nodes(declared?.declarations).map((one) => String(node(one.id)?.name));
    const listed = nodes(each.specifiers).map((one) => String(isNode(one.exported) ? one.exported.name : ''));
    return [...own, ...variables, ...listed];
  });
}
