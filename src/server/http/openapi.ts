import { z } from 'zod';
import { AuditReport } from '#schema/audit.ts';
import { CheckReport } from '#schema/check-report.ts';
import { ErrorEnvelope } from '#schema/error-envelope.ts';
import { RunEventSchema } from '#schema/event.ts';
import { FinalReport } from '#schema/final-report.ts';
import { Question } from '#schema/run.ts';
import * as shapes from '#schema/window.ts';
import { type Route, routes } from './routes.ts';

/** Shapes with a name; other schemas refer to them instead of repeating them. */
const named: Readonly<Record<string, z.ZodType>> = {
  AuditReport,
  CheckReport,
  ErrorEnvelope,
  FinalReport,
  Question,
  RunEvent: RunEventSchema,
  ...shapes,
};
const registry = z.registry<{ id: string }>();
// Loaders order module namespaces differently.
for (const [id, schema] of Object.entries(named).sort(([a], [b]) => (a < b ? -1 : 1)))
  registry.add(schema, { id });

const uri = (id: string) => `#/components/schemas/${id}`;
const nameOf = (schema: z.ZodType) => registry.get(schema)?.id;

function jsonOf(schema: z.ZodType): object {
  const inner = schema instanceof z.ZodNullable ? (schema.unwrap() as z.ZodType) : schema;
  const id = nameOf(inner);
  if (id === undefined) throw new Error('a shape of the API has no name');
  const reference = { $ref: uri(id) };
  const shape = inner === schema ? reference : { anyOf: [reference, { type: 'null' }] };
  return { 'application/json': { schema: shape } };
}

/** The API as an OpenAPI 3.1 document, generated from the table of routes. */
export function openApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  paths['/api/v1/repositories'] = { get: operationOf(listOfRepositories) };
  for (const prefix of ['/api/v1', '/api/v1/repositories/{repository}']) {
    for (const route of routes) {
      const path = `${prefix}${route.path}`;
      paths[path] = { ...paths[path], [route.method]: operationOf({ ...route, path }) };
    }
    paths[`${prefix}/stream`] = { get: streamOperation(prefix) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Joinery', version },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: z.toJSONSchema(registry, { uri, io: 'input' }).schemas,
    },
  };
}

const listOfRepositories: Operation = {
  path: '/api/v1/repositories',
  summary:
    'Every repository that Joinery has worked in. Addresses below one of them are the same as those without it, which are about the repository that the server was started in',
  response: shapes.RepositoryList,
};

type Operation = Pick<Route, 'path' | 'summary' | 'query' | 'body' | 'response'>;

function inPathOf(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function operationOf({ path, summary, query, body, response }: Operation): object {
  const inPath = inPathOf(path);
  const inQuery = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: z.toJSONSchema(schema as z.ZodType, { io: 'output' }),
  }));
  return {
    summary,
    ...(inPath.length + inQuery.length > 0 ? { parameters: [...inPath, ...inQuery] } : {}),
    ...(body ? { requestBody: { required: true, content: jsonOf(body) } } : {}),
    responses: {
      200: {
        description: summary,
        content: response ? jsonOf(response) : { 'text/plain': { schema: { type: 'string' } } },
      },
      default: { description: 'What was wrong and what to do', content: jsonOf(ErrorEnvelope) },
    },
  };
}

const streamOperation = (prefix: string) => ({
  summary: 'Server-sent events: every event of every run as it is written',
  description:
    'The id of a message is its place in the journal. Reconnect with Last-Event-ID to miss and repeat nothing. Without it the stream begins now. Messages named "check" say that a check has ended, "runs" that runs were removed.',
  parameters: [
    ...inPathOf(prefix),
    { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'integer' } },
  ],
  responses: {
    200: {
      description: 'A stream that does not end',
      content: { 'text/event-stream': { schema: { $ref: uri('StreamMessage') } } },
    },
  },
});
