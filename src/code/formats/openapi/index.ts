import { posix } from 'node:path';
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import type { DataFacts, Entity, Field, FieldUse, Placed, Route } from '#code/formats/shared/data-facts.ts';
import { plainPath } from '#code/formats/shared/route-path.ts';

/** Documents that declare their format at the top. */
const isDescription =
  /^[ \t]*(?:\{[ \t]*)?["']?(?:openapi|swagger)["']?\s{0,9}:|\$schema["']?\s{0,9}:\s{0,9}["']?https?:\/\/json-schema\.org/m;

/** OpenAPI and JSON Schema: schemas, references to them, routes. */
export async function readOpenapi(path: string, text: string): Promise<DataFacts | null> {
  if (!isDescription.test(text)) return null;
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, uniqueKeys: false });
  const [error] = document.errors;
  if (error) {
    if (/\{\{|\{%|<%/.test(text))
      return { problem: { line: 1, message: 'a template, not plain data', isHarmless: true } };
    const [message = ''] = error.message.split('\n');
    return { problem: { line: counter.linePos(error.pos[0]).line, message } };
  }
  const root = document.contents;
  if (!isMap(root)) return null;
  const lineOf = (node: unknown) => counter.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  const schemas = [
    ...entries(child(child(root, 'components'), 'schemas')),
    ...entries(child(root, 'definitions')),
    ...entries(child(root, '$defs')),
  ];
  const entities = schemas.flatMap(([name, node]) => schemaEntity(name, node, lineOf));
  const title = child(root, 'title');
  if (child(root, 'properties') && isScalar(title))
    entities.push(...schemaEntity(String(title.value), root, lineOf));
  return {
    entities,
    components: componentsOf(root, lineOf),
    references: [...referencesIn(document, path, lineOf), ...securityNames(root, lineOf)],
    uses: schemas.flatMap(([name, node]) => requiredNames(name, node, lineOf)),
    ...operationsOf(root, lineOf),
  };
}

type LineOf = (node: unknown) => number;

function componentsOf(root: YAMLMap, lineOf: LineOf): Placed[] {
  const sections = [
    ...entries(child(root, 'components')).map(([name, node]) => [`components/${name}`, node] as const),
    ...['definitions', '$defs'].map((name) => [name, child(root, name)] as const),
  ];
  return sections.flatMap(([section, node]) =>
    entries(node).map(([name, , key]) => ({ name: `${section}/${name}`, line: lineOf(key) })),
  );
}

function referencesIn(document: Document, path: string, lineOf: LineOf): Placed[] {
  const found: Placed[] = [];
  visit(document, {
    Pair(_, { key, value }: Pair) {
      if (!isScalar(key) || key.value !== '$ref' || !isScalar(value)) return;
      const name = componentName(String(value.value), path);
      if (name !== null) found.push({ name, line: lineOf(value) });
    },
  });
  return found;
}

/** `components/schemas/Order` for `#/components/schemas/Order/properties/id`; with the file if it is another one. */
function componentName(reference: string, path: string): string | null {
  const [, file = '', pointer = ''] =
    /^([^#]*)#\/((?:components\/[^/]+|definitions|\$defs)\/[^/]+)/.exec(reference) ?? [];
  if (pointer === '' || /^\w+:/.test(file)) return null;
  const plain = pointer.replaceAll('~1', '/').replaceAll('~0', '~');
  return file === '' ? plain : `${posix.join(posix.dirname(path), file)}#${plain}`;
}

/** Security schemes that the API or one of its operations requires, by name. */
function securityNames(root: YAMLMap, lineOf: LineOf): Placed[] {
  const operations = entries(child(root, 'paths')).flatMap(([, item]) =>
    entries(item).flatMap(([method, operation]) => (methods.test(method) ? [operation] : [])),
  );
  return [root, ...operations].flatMap((each) => {
    const required = child(each, 'security');
    if (!isSeq(required)) return [];
    return required.items
      .flatMap((item) => entries(item))
      .map(([name, , key]) => ({ name: `components/securitySchemes/${name}`, line: lineOf(key) }));
  });
}

function schemaEntity(name: string, node: unknown, lineOf: LineOf): Entity[] {
  if (!isMap(node)) return [];
  const required = new Set(isSeq(child(node, 'required')) ? scalars(child(node, 'required')) : []);
  const fields = entries(child(node, 'properties')).map(([field, value, key]): Field => {
    const type = isMap(value) ? child(value, 'type') : null;
    return {
      name: field,
      type: isScalar(type) ? String(type.value) : null,
      required: required.has(field),
      line: lineOf(key),
    };
  });
  const isOpen = ['allOf', 'anyOf', 'oneOf'].some((word) => child(node, word) !== null);
  return [
    {
      layer: 'schema',
      form: 'OpenAPI',
      name,
      line: lineOf(node),
      fields,
      ...(isOpen ? { open: true as const } : {}),
    },
  ];
}

/** Names in `required` and keys of `example`: they must be properties. */
function requiredNames(name: string, node: unknown, lineOf: LineOf): FieldUse[] {
  if (!isMap(node) || child(node, 'properties') === null) return [];
  const required = child(node, 'required');
  const listed = isSeq(required) ? required.items : [];
  const keys = entries(child(node, 'example')).map(([, , key]) => key);
  return [...listed, ...keys].flatMap((each) =>
    isScalar(each)
      ? [{ kind: 'entity' as const, of: name, name: String(each.value), via: 'OpenAPI', line: lineOf(each) }]
      : [],
  );
}

const methods = /^(?:get|post|put|patch|delete|head|options)$/;

function operationsOf(root: YAMLMap, lineOf: LineOf): Pick<DataFacts, 'routes' | 'operationIds'> {
  const routes: Route[] = [];
  const operationIds: Placed[] = [];
  for (const [path, item] of entries(child(root, 'paths')))
    for (const [method, operation, key] of entries(item)) {
      if (!methods.test(method)) continue;
      const line = lineOf(key);
      routes.push({
        framework: 'OpenAPI',
        method: method.toUpperCase(),
        path: plainPath(path),
        router: 'paths',
        line,
      });
      const id = isMap(operation) ? child(operation, 'operationId') : null;
      if (isScalar(id)) operationIds.push({ name: String(id.value), line: lineOf(id) });
    }
  return { routes, operationIds };
}

function child(node: unknown, key: string): unknown {
  return isMap(node) ? (node.get(key, true) ?? null) : null;
}

function entries(node: unknown): [key: string, value: unknown, keyNode: unknown][] {
  if (!isMap(node)) return [];
  return node.items.map((pair) => [
    String(isScalar(pair.key) ? pair.key.value : pair.key),
    pair.value,
    pair.key,
  ]);
}

function scalars(node: unknown): string[] {
  return isSeq(node) ? node.items.flatMap((each) => (isScalar(each) ? [String(each.value)] : [])) : [];
}
