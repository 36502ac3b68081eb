import { posix } from 'node:path';
import { statedName } from '#contract/judge/signature.ts';
import { type Contract, stubMark } from '#schema/contract.ts';
import type { Stubs } from './stubs.ts';

type Entity = Contract['entities'][number];

/** `contract.ts` contains the agreed types; `contract.test.ts` does not compile, or fails, when the code breaks them. */
export function typescriptStubs(contract: Contract, folder: string, digest: string): Stubs {
  const usable = contract.entities.filter((entity) => reasonAgainst(entity) === null);
  const types = usable.filter(({ type }) => type !== 'function');
  const functions = usable.filter(({ type }) => type === 'function');
  const head = `// ${stubMark} ${digest.slice(0, 16)}. Do not edit: ask for a change of the contract.`;
  return {
    files: new Map([
      ['contract.ts', [head, '', ...types.map(typeOf), ...functions.map(functionType)].join('\n')],
      ['contract.test.ts', testOf(head, types, functions, folder)],
    ]),
    skipped: contract.entities.flatMap((entity) => {
      const reason = reasonAgainst(entity);
      return reason === null ? [] : [{ name: entity.name, reason }];
    }),
  };
}

function reasonAgainst({ type, path, name, function: written }: Entity): string | null {
  if (type !== 'type' && type !== 'function') return `a ${type} has no type in TypeScript`;
  if (type === 'function' && statedName(written ?? name).name.includes('.'))
    return 'a method cannot be imported';
  if (path === undefined || !/\.[cm]?tsx?$/.test(path)) return 'it is in no TypeScript file';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? null : 'its name is not valid in TypeScript';
}

function typeOf({ name, keyFields }: Entity): string {
  const rows = keyFields.map((field) => {
    const { name: called, type } = statedName(field);
    return `  ${called}: ${known(type)};`;
  });
  return [`export interface ${name} {`, ...rows, '}', ''].join('\n');
}

/** Types of the project cannot be named here: types that are not built in become `unknown`. */
function known(type: string | null): string {
  if (type === null) return 'unknown';
  const names = type.match(/[A-Za-z_]\w*/g) ?? [];
  return names.every((name) => builtIn.has(name)) ? type : 'unknown';
}

const builtIn = new Set([
  ...['string', 'number', 'boolean', 'bigint', 'symbol', 'null', 'undefined', 'unknown', 'void', 'never'],
  ...[
    'Date',
    'Array',
    'ReadonlyArray',
    'Map',
    'Set',
    'Record',
    'Promise',
    'readonly',
    'Uint8Array',
    'true',
    'false',
  ],
]);

function functionType({ name, function: written }: Entity): string {
  const { parameters, type } = statedName(written ?? name);
  const list = parameters?.map((each) => {
    const rest = each.name.startsWith('...');
    return `${each.name}${each.isRequired || rest ? '' : '?'}: ${rest && each.type === null ? 'unknown[]' : parameterType(each.type)}`;
  });
  return `export type ${name} = (${list?.join(', ') ?? '...parameters: never[]'}) => ${known(type)};\n`;
}

/** A parameter whose type cannot be named here accepts anything. */
function parameterType(type: string | null): string {
  const written = known(type);
  return written === 'unknown' && type !== 'unknown' ? 'never' : written;
}

function testOf(
  head: string,
  types: readonly Entity[],
  functions: readonly Entity[],
  folder: string,
): string {
  const from = (path: string) => {
    const way = posix.relative(folder, path);
    return way.startsWith('.') ? way : `./${way}`;
  };
  const all = [...types, ...functions];
  return [
    head,
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import type * as agreed from './contract.ts';",
    ...functions.map(
      ({ name, function: written, path = '' }) =>
        `import { ${statedName(written ?? name).name} as ${name}Found } from '${from(path)}';`,
    ),
    ...types.map(({ name, path = '' }) => `import type { ${name} as ${name}Found } from '${from(path)}';`),
    '',
    '/** Does not compile when `Found` lacks something that was agreed. */',
    'type Holds<Found extends Agreed, Agreed> = [Found, Agreed];',
    ...types.map(({ name }) => `export type ${name}Holds = Holds<${name}Found, agreed.${name}>;`),
    ...functions.map(({ name }) => `export type ${name}Holds = Holds<typeof ${name}Found, agreed.${name}>;`),
    '',
    `test('the contract is as it was signed: ${all.length} types', () => {`,
    ...functions.map(({ name }) => `  assert.equal(typeof ${name}Found, 'function');`),
    `  assert.ok(${all.length} > 0);`,
    '});',
    '',
  ].join('\n');
}
