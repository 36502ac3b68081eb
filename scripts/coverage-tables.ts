import { existsSync, readdirSync } from 'node:fs';
import { tableOf } from '#cli/args/commands-page.ts';
import { root } from './root.ts';

/** Conflicts and twins of a rule whose names start like this: `go-`, `sqlite-`. */
function casesOf(rule: string, start: string): { conflicts: string[]; twins: string[] } {
  const folder = `${root}test/rules/${rule.toLowerCase()}`;
  const names = readdirSync(folder)
    .filter((name) => name.startsWith(start))
    .map((name) => name.replace(/\.txt$/, ''));
  return {
    conflicts: names.filter((name) => !name.endsWith('-benign')),
    twins: names.filter((name) => name.endsWith('-benign')),
  };
}

const languages = { go: 'Go', rust: 'Rust', java: 'Java', ruby: 'Ruby', csharp: 'C#', php: 'PHP' } as const;
type Compiled = keyof typeof languages;

const everyLanguage = 'in all files alike';
/** Why a case is missing: the language lacks the construct, or another rule covers it. */
const lacking: Readonly<Record<string, string | Partial<Record<Compiled, string>>>> = {
  S05: { go: 'no keywords', rust: 'no keywords', java: 'no keywords' },
  S11: { ruby: 'nothing has to be implemented' },
  S18: { ruby: 'of two mixins the last one counts', php: 'no star imports' },
  K02: { rust: 'S17', java: 'S17', csharp: 'S17', php: 'S17' },
  T01: everyLanguage,
  T06: 'keys of data files',
  T07: everyLanguage,
};

const compiledRules = 'S01 S02 S03 S04 S05 S10 S11 S13 S17 S18 D01 D02 K02 T01 T02 T03 T04 T05 T06 T07'.split(
  ' ',
);

/** Rules in languages with a grammar: the number of conflicts and benign twins, or why there can be none. */
export function languageTable(): string {
  return tableOf(
    ['Rule', ...Object.values(languages)],
    compiledRules.map((rule) => [
      rule,
      ...(Object.keys(languages) as Compiled[]).map((language) => {
        const { conflicts, twins } = casesOf(rule, `${language}-`);
        if (conflicts.length > 0 && twins.length > 0) return `${conflicts.length} / ${twins.length}`;
        const reason = lacking[rule];
        const said = typeof reason === 'string' ? reason : reason?.[language];
        if (said === undefined)
          throw new Error(`${rule} has no scenario and twin in ${language}, and no reason`);
        return said;
      }),
    ]),
  );
}

/** Publishers and listeners run over brokers in memory. */
const received = 'messages that are sent and received';

interface Format {
  readonly name: string;
  /** Below `src/`. */
  readonly reader: string;
  /** The rule, and the prefix of its cases. */
  readonly shown: readonly (readonly [rule: string, start: string])[];
  readonly oracle: string;
}

const formats: readonly Format[] = [
  format('SQL, PostgreSQL', 'sql/parse-sql.ts', 'C08 sql-, C09 sql-, M02 sql-, M03 sql-', 'PostgreSQL'),
  format('SQL, SQLite', 'sql/dialect-steps.ts', 'C08 sqlite-, C09 sqlite-, M03 sqlite-', 'SQLite'),
  format(
    'SQL, MySQL',
    'sql/dialect-steps.ts',
    'C07 mysql-, C08 mysql-, C09 mysql-, M02 mysql-, M03 mysql-',
    'MariaDB',
  ),
  format('SQL in strings', 'sql/sql-text.ts', 'C08 ts-query-in-a-string', 'SQLite, in the bench'),
  format('SQL in strings of Go, Rust, Java, Ruby, C#, PHP', 'sql/sql-in-code.ts', 'C08 query-in-', 'none'),
  format(
    'Prisma',
    'prisma/index.ts',
    'C08 ts-prisma-client, C10 prisma-',
    'graphql-js asks for its fields (C10)',
  ),
  format('Drizzle', 'javascript/shapes.ts', 'C08 ts-every-layer', 'none'),
  format('knex', 'javascript/knex.ts', 'C08 ts-knex', 'none'),
  format('TypeORM', 'javascript/shapes.ts', 'C08 ts-typeorm-', 'none'),
  format(
    'SQLAlchemy',
    'python/shapes.ts',
    'C08 py-chain-to-a-client, C10 graphql-name-of-a-field',
    'graphql-js asks for its fields (C10)',
  ),
  format(
    'Django models',
    'python/shapes.ts',
    'C08 py-django-query, C10 py-django-and-dto',
    'TypeScript reads its records (C10)',
  ),
  format(
    'Django migrations',
    'python/migrations.ts',
    'M01 py-django, M02 py-django, M03 py-django',
    "Django's check of its graph",
  ),
  format('Alembic', 'python/migrations.ts', 'M01 py-alembic, C09 py-alembic', "Alembic's heads"),
  format(
    'GraphQL, types',
    'graphql/index.ts',
    'C05 graphql-field-twice, C05 graphql-type-twice',
    'graphql-js',
  ),
  format(
    'GraphQL, operations',
    'graphql/validate.ts',
    'C05 graphql-removed-field, C05 graphql-new-argument, C05 graphql-in-code',
    'graphql-js',
  ),
  format('GraphQL resolvers', 'javascript/orm-uses.ts', 'C08 ts-every-layer', 'none'),
  format('OpenAPI 3', 'openapi/index.ts', 'C04 yaml-', '@readme/openapi-parser'),
  format('JSON Schema', 'openapi/index.ts', 'C04 json-schema', 'ajv'),
  format('protobuf', 'protobuf/index.ts', 'C06 proto-', 'protobufjs'),
  format('Zod', 'javascript/shapes.ts', 'C10 ts-zod-and-pydantic', 'Zod reads what Pydantic writes'),
  format('Pydantic', 'python/shapes.ts', 'C10 ts-zod-and-pydantic', 'Zod reads what Pydantic writes'),
  format('dataclasses', 'python/shapes.ts', 'C08 py-dataclass', 'none'),
  format('TypeScript DTOs', 'javascript/shapes.ts', 'C08 ts-typeorm-and-dto, C08 ts-every-layer', 'none'),
  format('Express', 'javascript/routes.ts', 'C01 ts-express-', 'a real application'),
  format('Fastify', 'javascript/routes.ts', 'C01 ts-fastify', 'a real application'),
  format('Hono', 'javascript/routes.ts', 'C01 ts-hono, C02 ts-hono', 'a real application'),
  format('Nest', 'javascript/nest.ts', 'C01 ts-nest', 'a real application'),
  format('Next', 'javascript/next.ts', 'C01 ts-next', 'a build by Next'),
  format('FastAPI', 'python/routes.ts', 'C01 py-fastapi', 'a real application'),
  format('Flask', 'python/routes.ts', 'C01 py-flask', 'a real application'),
  format(
    'Django, with its REST framework',
    'python/django-routes.ts',
    'C01 py-django, C02 py-django',
    "Django's resolver",
  ),
  format(
    'fetch',
    'javascript/clients.ts',
    'C03 ts-route-renamed, C03 ts-body-key',
    'a real server, for a renamed route',
  ),
  format('axios', 'javascript/clients.ts', 'C03 ts-axios', 'a real server'),
  format('ky', 'javascript/clients.ts', 'C03 ts-ky', 'a real server'),
  format('requests', 'python/routes.ts', 'C03 py-requests, C03 py-route-removed', 'a real server'),
  format('httpx', 'python/routes.ts', 'C03 py-httpx', 'a real server'),
  format('emitters', 'javascript/events.ts', 'C11 ts-keys, C11 py-keys, C11 ts-nest-event', received),
  format('Kafka', 'javascript/events.ts', 'C11 ts-kafka, C11 py-kafka', received),
  format('RabbitMQ', 'javascript/events.ts', 'C11 ts-rabbitmq, C11 py-rabbitmq', received),
  format('BullMQ', 'javascript/events.ts', 'C11 ts-queue, C11 ts-nest-queue', received),
  format('Celery', 'python/events.ts', 'C11 py-celery', received),
  format('Redux', 'javascript/events.ts', 'C11 ts-redux', received),
  format(
    'versions of formats',
    'shared/version-name.ts',
    'C12 ts-one-version, C12 py-one-version',
    'TypeScript and Python read what was stored',
  ),
  {
    name: 'environment variables, read and declared',
    reader: 'check/rules/m07-undeclared-variable.ts',
    shown: ['compose', 'csharp', 'dotenv', 'go', 'java', 'php', 'ruby', 'rust', 'ts'].map((start) => [
      'M07',
      start,
    ]),
    oracle: 'a run of the seeded files, in the bench',
  },
];

function format(name: string, reader: string, shown: string, oracle: string): Format {
  const cases = shown.split(', ').map((each) => each.split(' ') as [string, string]);
  return { name, reader: `code/formats/${reader}`, shown: cases, oracle };
}

/** Each format: its reader, its scenarios, and the independent tool that confirmed them. */
export function formatTable(): string {
  return tableOf(
    ['Format', 'Read by', 'Conflicts', 'Twins', 'Oracle of its scenarios'],
    formats.map(({ name, reader, shown, oracle }) => {
      const cases = shown.map(([rule, start]) => ({ rule, ...casesOf(rule, start) }));
      if (!existsSync(`${root}src/${reader}`) || cases.some((each) => each.conflicts.length === 0))
        throw new Error(`${name}: ${reader} or one of its conflicts is not there`);
      const twins = cases.reduce((sum, each) => sum + each.twins.length, 0);
      if (twins === 0) throw new Error(`${name} has no benign twin`);
      const named = cases.flatMap((each) =>
        each.conflicts.map((one) => `\`${each.rule.toLowerCase()}/${one}\``),
      );
      return [name, `\`src/${reader}\``, named.join(', '), String(twins), oracle];
    }),
  );
}
