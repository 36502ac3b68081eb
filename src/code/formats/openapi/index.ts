import { posix } from 'node:path';
import type { DataFacts, Entity, Field, FieldUse, Placed, Route } from '#code/formats/shared/data-facts.ts';
import { lineFinder } from '#code/formats/shared/lines.ts';
import { plainPath } from '#code/formats/shared/route-path.ts';
import { allEntries, child, type DocumentNode, entries, isMap, items, scalar } from './document.ts';
import { readJson } from './json-document.ts';

/** Documents that declare their format at the top. */
const isDescription =
  /^[ \t]*(?:\{[ \t]*)?["']?(?:openapi|swagger)["']?\s{0,9}:|\$schema["']?\s{0,9}:\s{0,9}["']?https?:\/\/json-schema\.org/m;

/** OpenAPI and JSON Schema: schemas, references to them, routes. */
export async function readOpenapi(path: string, text: string): Promise<DataFacts | null> {
  if (!isDescription.test(text)) return null;
  // Nearly all large descriptions are JSON, and the YAML parser takes a hundred times as long for it.
  const json = readJson(text);
  const document = json ? { root: json } : (await import('./yaml-document.ts')).readYaml(text);
  if ('error' in document) {
    if (/\{\{|\{%|<%/.test(text))
      return { problem: { line: 1, message: 'a template, not plain data', isHarmless: true } };
    return { problem: document.error };
  }
  const { root } = document;
  if (!isMap(root)) return null;
  const lineOf = lineFinder(text);
  const schemas = [
    ...entries(child(child(root, 'components'), 'schemas')),
    ...entries(child(root, 'definitions')),
    ...entries(child(root, '$defs')),
  ];
  const entities = schemas.flatMap(({ key, value }) => schemaEntity(key, value, lineOf));
  const title = scalar(child(root, 'title'));
  if (child(root, 'properties') && title !== null) entities.push(...schemaEntity(title, root, lineOf));
  return {
    entities,
    components: componentsOf(root, lineOf),
    references: [...referencesIn(root, path, lineOf), ...securityNames(root, lineOf)],
    uses: schemas.flatMap(({ key, value }) => requiredNames(key, value, lineOf)),
    ...operationsOf(root, lineOf),
  };
}

type LineOf = (offset: number) => number;

function componentsOf(root: DocumentNode, lineOf: LineOf): Placed[] {
  const sections = [
    ...entries(child(root, 'components')).map(({ key, value }) => [`components/${key}`, value] as const),
    ...['definitions', '$defs'].map((name) => [name, child(root, name)] as const),
  ];
  return sections.flatMap(([section, node]) =>
    entries(node).map(({ key, keyAt }) => ({ name: `${section}/${key}`, line: lineOf(keyAt) })),
  );
}

function referencesIn(root: DocumentNode, path: string, lineOf: LineOf): Placed[] {
  const found: Placed[] = [];
  for (const { key, value } of allEntries(root)) {
    const target = key === '$ref' ? scalar(value) : null;
    const name = target === null ? null : componentName(target, path);
    if (name !== null) found.push({ name, line: lineOf(value?.at ?? 0) });
  }
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
function securityNames(root: DocumentNode, lineOf: LineOf): Placed[] {
  const operations = entries(child(root, 'paths')).flatMap((path) =>
    entries(path.value).flatMap(({ key, value }) => (methods.test(key) ? [value] : [])),
  );
  return [root, ...operations].flatMap((each) =>
    items(child(each, 'security'))
      .flatMap((item) => entries(item))
      .map(({ key, keyAt }) => ({ name: `components/securitySchemes/${key}`, line: lineOf(keyAt) })),
  );
}

function schemaEntity(name: string, node: DocumentNode | null, lineOf: LineOf): Entity[] {
  if (!isMap(node)) return [];
  const required = new Set(items(child(node, 'required')).flatMap((item) => scalar(item) ?? []));
  const fields = entries(child(node, 'properties')).map(
    ({ key, keyAt, value }): Field => ({
      name: key,
      type: isMap(value) ? scalar(child(value, 'type')) : null,
      required: required.has(key),
      line: lineOf(keyAt),
    }),
  );
  const isOpen = ['allOf', 'anyOf', 'oneOf'].some((word) => child(node, word) !== null);
  return [
    {
      layer: 'schema',
      form: 'OpenAPI',
      name,
      line: lineOf(node.at),
      fields,
      ...(isOpen ? { open: true as const } : {}),
    },
  ];
}

/** Names in `required` and keys of `example`: they must be properties. */
function requiredNames(name: string, node: DocumentNode | null, lineOf: LineOf): FieldUse[] {
  if (!isMap(node) || child(node, 'properties') === null) return [];
  const listed = items(child(node, 'required')).flatMap((item) => {
    const text = scalar(item);
    return text === null ? [] : [{ text, at: item.at }];
  });
  const keys = entries(child(node, 'example')).map(({ key, keyAt }) => ({ text: key, at: keyAt }));
  return [...listed, ...keys].map(({ text, at }) => ({
    kind: 'entity',
    of: name,
    name: text,
    via: 'OpenAPI',
    line: lineOf(at),
  }));
}

const methods = /^(?:get|post|put|patch|delete|head|options)$/;

function operationsOf(root: DocumentNode, lineOf: LineOf): Pick<DataFacts, 'routes' | 'operationIds'> {
  const routes: Route[] = [];
  const operationIds: Placed[] = [];
  for (const { key: path, value: item } of entries(child(root, 'paths')))
    for (const { key: method, keyAt, value: operation } of entries(item)) {
      if (!methods.test(method)) continue;
      routes.push({
        framework: 'OpenAPI',
        method: method.toUpperCase(),
        path: plainPath(path),
        router: 'paths',
        line: lineOf(keyAt),
      });
      const id = isMap(operation) ? child(operation, 'operationId') : null;
      const name = scalar(id);
      if (name !== null) operationIds.push({ name, line: lineOf(id?.at ?? 0) });
    }
  return { routes, operationIds };
}
