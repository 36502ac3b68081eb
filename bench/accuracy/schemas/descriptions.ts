import { capital, filesOf, inTurn, type Making, seeding } from '../coherence/kit.ts';

/** A description with room between its parts, so that git merges additions at both ends. */
function openapi(
  schemas: readonly string[],
  paths: readonly (readonly [path: string, id: string, ref?: string])[],
) {
  const operation = ([path, id, ref]: (typeof paths)[number]) =>
    [
      `  /${path}:`,
      '    get:',
      `      operationId: ${id}`,
      '      responses:',
      '        "200":',
      '          description: an answer',
      ...(ref === undefined
        ? []
        : [
            '          content:',
            '            application/json:',
            '              schema:',
            `                $ref: "#/components/schemas/${ref}"`,
          ]),
    ].join('\n');
  const schema = (name: string) =>
    `    ${name}:\n      type: object\n      properties:\n        id:\n          type: string`;
  return `openapi: 3.1.0\ninfo:\n  title: Shop\n  version: "1"\npaths:\n${paths.map(operation).join('\n')}\ncomponents:\n  schemas:\n${schemas.map(schema).join('\n')}\n`;
}

const middle = [
  ['one', 'readOne'],
  ['two', 'readTwo'],
  ['three', 'readThree'],
] as const;

function graphqlTypes({ words: [first, second] }: Making, without?: string): string {
  const fields = ['id: ID!', `${second}: String`, 'size: Int', 'note: String'].filter(
    (field) => without === undefined || !field.startsWith(`${without}:`),
  );
  return `type Query {\n  ${first}: ${capital(first)}\n}\n\ntype ${capital(first)} {\n${fields.map((field) => `  ${field}\n`).join('')}}\n`;
}

function message({ words: [first] }: Making, head: readonly string[], tail: readonly string[]): string {
  return `syntax = "proto3";\n\nmessage ${capital(first)} {\n${[...head, 'string id = 1;', 'int32 size = 2;', 'string note = 3;', ...tail].map((line) => `  ${line}\n`).join('')}}\n`;
}

export const descriptions = [
  seeding({ name: 'reference to a removed schema', rule: 'C04', oracle: 'openapi' }, ({ words }) => {
    const [first, second, third] = words.map(capital) as [string, string, string];
    const file = 'api/openapi.yaml';
    const a = filesOf([file, openapi(['Kept', second], middle)]);
    const b = (ref: string) =>
      filesOf([file, openapi(['Kept', second, first], [[third, `list${third}`, ref], ...middle])]);
    return {
      base: filesOf([file, openapi(['Kept', second, first], middle)]),
      a,
      b: b(first),
      twin: { a, b: b('Kept') },
      consumerFile: file,
      symbol: first,
    };
  }),
  seeding({ name: 'one id for two operations', rule: 'C04', oracle: 'openapi' }, ({ words }) => {
    const [first, second, third] = words.map(capital) as [string, string, string];
    const file = 'api/openapi.yaml';
    const a = filesOf([file, openapi(['Kept'], [[first, `read${third}`], ...middle])]);
    const b = (id: string) => filesOf([file, openapi(['Kept'], [...middle, [second, id]])]);
    return {
      base: filesOf([file, openapi(['Kept'], middle)]),
      a,
      b: b(`read${third}`),
      twin: { a, b: b(`list${third}`) },
      consumerFile: file,
      symbol: `read${third}`,
    };
  }),
  seeding({ name: 'operation asks for a removed field', rule: 'C05', oracle: 'graphql' }, (making) => {
    const [first, second, third] = making.words;
    const consumerFile = `web/${third}.graphql`;
    const a = filesOf(['schema.graphql', graphqlTypes(making, second)]);
    const ask = (field: string) =>
      filesOf([consumerFile, `query ${capital(third)} {\n  ${first} {\n    id\n    ${field}\n  }\n}\n`]);
    return {
      base: filesOf(['schema.graphql', graphqlTypes(making)]),
      a,
      b: ask(second),
      twin: { a, b: ask('size') },
      consumerFile,
      symbol: second,
    };
  }),
  seeding({ name: 'one type twice', rule: 'C05', oracle: 'graphql' }, (making) => {
    const [first, second, third] = making.words;
    const kind = inTurn(['type', 'input'], making.n);
    const type = (name: string, field: string) => `${kind} ${capital(name)}Row {\n  ${field}: String\n}\n`;
    const a = filesOf([`schema/a_${first}.graphql`, type(third, first)]);
    const consumerFile = `schema/b_${second}.graphql`;
    return {
      base: filesOf(['schema.graphql', graphqlTypes(making)]),
      a,
      b: filesOf([consumerFile, type(third, second)]),
      twin: { a, b: filesOf([consumerFile, type(`${third}B`, second)]) },
      consumerFile,
      symbol: `${capital(third)}Row`,
    };
  }),
  seeding({ name: 'one number', rule: 'C06', oracle: 'protobuf' }, (making) => {
    const [first, second, third] = making.words;
    const file = `proto/${first}.proto`;
    const tag = 7 + (making.n % 20);
    const a = filesOf([file, message(making, [`string ${second} = ${tag};`], [])]);
    const b = (number: number) => filesOf([file, message(making, [], [`int64 ${third} = ${number};`])]);
    return {
      base: filesOf([file, message(making, [], [])]),
      a,
      b: b(tag),
      twin: { a, b: b(tag + 1) },
      consumerFile: file,
      symbol: third,
    };
  }),
  seeding({ name: 'a reserved number', rule: 'C06', oracle: 'protobuf' }, (making) => {
    const [first, , third] = making.words;
    const file = `proto/${first}.proto`;
    const a = filesOf([file, message(making, ['reserved 9;'], [])]);
    const b = (number: number) => filesOf([file, message(making, [], [`int64 ${third} = ${number};`])]);
    return {
      base: filesOf([file, message(making, [], [])]),
      a,
      b: b(9),
      twin: { a, b: b(10) },
      consumerFile: file,
      symbol: third,
    };
  }),
];
