import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { openForks } from '#test/support/scenario/check-scenarios.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-layers-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

const wanted = [
  'c08/ts-every-layer',
  'c08/py-chain-to-a-client',
  'c08/ts-prisma-nest-fetch',
  'c08/py-sqlalchemy-fastapi-httpx',
  'c10/graphql-name-of-a-field',
];
const scenarios = readScenarios().filter(({ name }) => wanted.includes(name));
const check = await openForks(scenarios, root);

async function findingsOf(name: string) {
  const { findings } = await check(scenarios.findIndex((scenario) => scenario.name === name));
  return findings;
}

describe('a conflict across layers is one finding', () => {
  test('with every place that reads a renamed column, and every hop to it', async () => {
    const findings = await findingsOf('c08/ts-every-layer');
    expect(findings).toHaveLength(1);
    const places = findings[0]?.sites.map(({ file, line }) => `${file}:${line}`).sort();
    expect(places).toEqual([
      'db/migrations/0002_full_name.sql:1',
      // The model, in both branches.
      'src/db/schema.ts:5',
      'src/db/schema.ts:5',
      'src/graphql/resolvers.ts:12',
      'src/graphql/user.graphql:3',
      'src/reports/names.ts:3',
      'src/routes/users.ts:7',
      'src/routes/users.ts:8',
      'src/users/user.dto.ts:3',
      'web/profile.ts:4',
    ]);
  });

  test('with the chain from the column to the client', async () => {
    const [finding] = await findingsOf('c08/py-chain-to-a-client');
    expect(finding?.message).toMatch(
      /column users\.name .*model User\.name \(app\/models\.py:12\) → route GET \/users\/: \(app\/api\.py:\d+\)/,
    );
    const places = finding?.sites.map(({ file }) => file);
    expect(places).toEqual(
      expect.arrayContaining([
        'db/migrations/0002_full_name.sql',
        'app/models.py',
        'app/api.py',
        'web/profile.ts',
      ]),
    );
  });

  test('from Prisma through a service, a controller and a DTO to fetch', async () => {
    const findings = await findingsOf('c08/ts-prisma-nest-fetch');
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toMatch(
      /Prisma model User\.name \(.*schema\.prisma:\d+\) → UsersService\.findOne \(.*users\.service\.ts:\d+\) → route GET \/users\/: \(.*users\.controller\.ts:\d+\)/,
    );
    const places = findings[0]?.sites.map(({ file, line }) => `${file}:${line}`).sort();
    expect(places).toEqual([
      'apps/api/src/users/report.ts:4',
      'apps/api/src/users/user.dto.ts:4',
      'apps/api/src/users/users.controller.ts:19',
      // The hop, the clause, the selection and the field read from the answer.
      'apps/api/src/users/users.service.ts:14',
      'apps/api/src/users/users.service.ts:15',
      'apps/api/src/users/users.service.ts:21',
      'apps/api/src/users/users.service.ts:8',
      'apps/web/src/api/profile.ts:10',
      'prisma/migrations/20240201000000_full_name/migration.sql:1',
      'prisma/schema.prisma:13',
      'prisma/schema.prisma:13',
    ]);
  });

  test('from SQLAlchemy through queries, a router and a schema to httpx, including attributes of the class', async () => {
    const findings = await findingsOf('c08/py-sqlalchemy-fastapi-httpx');
    expect(findings).toHaveLength(1);
    expect(findings[0]?.message).toMatch(
      /SQLAlchemy model User\.name \(app\/models\.py:12\) → get_user \(app\/crud\.py:7\) → route GET \/api\/users\/: \(app\/routers\/users\.py:11\)/,
    );
    const places = findings[0]?.sites.map(({ file, line }) => `${file}:${line}`).sort();
    expect(places).toEqual([
      'alembic/versions/b2_full_name.py:9',
      'app/crud.py:16',
      'app/crud.py:21',
      'app/crud.py:7',
      'app/models.py:12',
      'app/models.py:12',
      'app/report.py:8',
      'app/routers/users.py:11',
      'app/schemas.py:9',
      'client/api.py:14',
    ]);
  });

  test('if a model and a GraphQL type name one field differently', async () => {
    const findings = await findingsOf('c10/graphql-name-of-a-field');
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ category: 'schema', tags: ['naming'] });
    expect(new Set(findings[0]?.sites.map(({ file }) => file)).size).toBe(2);
  });
});
