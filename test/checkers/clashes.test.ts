import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { IntegrationReport } from '#schema/integration.ts';
import { buildClash, readClashes } from '#test/support/clash.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';
import { chance } from '#test/support/seed.ts';

const clashes = readClashes();

/** Of the list that was fixed before the work, what facts alone do not see: only a run of the tests decides these. */
const listedAndMissed = [
  'java-method-renamed',
  'js-map-instead-of-object',
  'js-null-instead-of-throw',
  'js-setting-renamed',
  'py-none-instead-of-raise',
];

test('there are forty clashes in eight languages, and facts alone see twenty-five of those listed before', () => {
  expect(clashes.filter(({ name }) => listedAndMissed.includes(name)).map(({ isKnown }) => isKnown)).toEqual(
    listedAndMissed.map(() => false),
  );
  expect(clashes.length).toBeGreaterThanOrEqual(40);
  expect(new Set(clashes.map(({ name }) => name.split('-')[0])).size).toBe(8);
  expect(clashes.filter(({ isKnown }) => isKnown).length).toBeGreaterThanOrEqual(25);
});

const chosen = chance('clashes of our own', { normal: 4, wide: 10, soak: 100 }).pick(clashes);

describe.each(chosen)('$name', (clash) => {
  test('is green on every side and red together; nothing says that it fits, and only the repaired work lands', async () => {
    const { repository, isGreen } = buildClash(clash);
    const green = Object.fromEntries(['main', 'a', 'b', 'union', 'twin'].map((ref) => [ref, isGreen(ref)]));
    expect(green).toEqual({ main: true, a: true, b: true, union: false, twin: true });
    const env = { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() };
    const run = (...args: string[]) =>
      // The tests need the Node that runs here, also where the machine's own is older.
      joinery(args, { cwd: repository.dir, env: { ...env, JOINERY_NODE_FOLDER: undefined } });

    const facts = await run('check', 'main', 'a', 'b', '--confirm', 'none', '--json');
    expect(CheckReport.parse(JSON.parse(facts.stdout)).status).toBe(clash.scenario.expected.status);

    const before = repository.git('rev-parse', 'main');
    const landing = await run('integrate', 'a', 'b', '--land', '--update-checkout', '--json');
    expect({ code: landing.code, main: repository.git('rev-parse', 'main') }).toMatchObject({
      code: expect.toSatisfy((code: number) => code === 1 || code === 2),
      main: before,
    });
    expect(IntegrationReport.parse(JSON.parse(landing.stdout)).status).not.toBe('landed');

    const repaired = await run(
      ...['integrate', 'a', 'twin', '--land', '--update-checkout', '--json'],
      ...(clash.namesCases ? [] : ['--unproven']),
    );
    expect(IntegrationReport.parse(JSON.parse(repaired.stdout))).toMatchObject({ status: 'landed' });
  });
});
