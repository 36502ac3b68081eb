import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { readModel } from '#app/contracts/read-model.ts';
import { withTrees } from '#app/contracts/union-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { mayHoldData, readData } from '#code/formats/index.ts';
import type { DataFacts } from '#code/formats/shared/data-facts.ts';
import { judgeContract } from '#contract/judge/judge-contract.ts';
import type { Judged } from '#contract/judge/judged.ts';
import { Contract } from '#schema/contract.ts';
import { openForks } from '#test/support/scenario/check-scenarios.ts';
import { readScenarios } from '#test/support/scenario/read-scenarios.ts';
import { applyChanges, type Files } from '#test/support/scenario/scenario.ts';

const root = mkdtempSync(join(tmpdir(), 'joinery-contract-agrees-'));
afterAll(() => rm(root, { recursive: true, force: true }), 60_000);

/** A table with its columns, as the readers of `joinery check` see the files of a tree. */
type Tables = Map<string, Set<string>>;

async function readAll(files: Files): Promise<readonly (readonly [string, DataFacts])[]> {
  const read = [...files]
    .filter(([path]) => mayHoldData(path))
    .sort(([a], [b]) => new Intl.Collator('en', { numeric: true }).compare(a, b))
    .map(async ([path, content]) => [path, (await readData(path, content.toString('utf8'))) ?? {}] as const);
  return Promise.all(read);
}

/** Tables that scripts create: those of models are compared one by one below. */
function tablesIn(facts: readonly (readonly [string, DataFacts])[]): Tables {
  const tables: Tables = new Map();
  for (const [, { entities = [], steps = [] }] of facts) {
    for (const { layer, name, fields } of entities)
      if (layer === 'table') tables.set(name, new Set(fields.map((field) => field.name)));
    for (const { op, table, name = '', to = '', columns = [] } of steps) {
      if (op === 'create table' && !tables.has(table))
        tables.set(table, new Set(columns.map((field) => field.name)));
      if (op === 'drop table') tables.delete(table);
      if (op === 'add column') tables.get(table)?.add(name);
      if (op === 'drop column' || op === 'rename column') tables.get(table)?.delete(name);
      if (op === 'rename column') tables.get(table)?.add(to);
      const columnsOf = tables.get(table);
      if (op === 'rename table' && columnsOf && tables.delete(table)) tables.set(to, columnsOf);
    }
  }
  return tables;
}

/** `users.name`: what of a tree is also in another one. */
function kept(tables: Tables, wanted: Tables): string[] {
  return [...wanted].flatMap(([table, columns]) =>
    [...columns].filter((name) => tables.get(table)?.has(name)).map((name) => `${table}.${name}`),
  );
}

const scenarios = await Promise.all(
  readScenarios()
    .filter(
      ({ base, rule }) => /^[CM]/.test(rule) && [...base.keys()].some((path) => /\.(sql|py)$/.test(path)),
    )
    .map(async (scenario) => ({ ...scenario, tables: tablesIn(await readAll(scenario.base)) })),
);
const data = scenarios.filter(({ tables }) => tables.size > 0);
const check = await openForks(data, root);

const here: Pick<Surroundings, 'cwd' | 'env' | 'terminal' | 'onInterrupt'> = {
  cwd: join(root, 'repository'),
  env: { ...process.env, JOINERY_CACHE_DIR: join(root, 'cache'), JOINERY_STATE_DIR: join(root, 'state') },
  terminal: { warn: () => {}, progress: () => {} } as unknown as Surroundings['terminal'],
  onInterrupt: () => () => {},
};

/** One item for each column of base. */
function contractOf(tables: Tables): Contract {
  return Contract.parse({
    schema: 'joinery/contract@1',
    coreQuestion: 'Which columns are kept?',
    entities: [...tables].flatMap(([table, columns]) =>
      [...columns].map((column) => ({
        name: `${table}.${column}`,
        type: 'database',
        table,
        createdByTask: null,
        keyFields: [column],
      })),
    ),
  });
}

const contracts = data.map(({ tables }) => contractOf(tables));
const refs = data.flatMap(({ branches }, index) => branches.map(({ name }) => `${index}/${name}`));

/** By branch, what `joinery contract check` says of it. */
const judged: ReadonlyMap<string, readonly Judged[]> = await withTrees(here, refs, async (trees) => {
  const found = new Map<string, readonly Judged[]>();
  for (const tree of trees) {
    const contract = contracts[Number.parseInt(tree.tip.ref, 10)];
    if (contract) found.set(tree.tip.ref, judgeContract(contract, await readModel(tree, contract)));
  }
  return found;
});

const namesOf = (items: readonly Judged[], wanted: (item: Judged) => boolean) =>
  items.filter(wanted).map(({ name }) => name);

describe('check and contract check read the same tables', () => {
  test('there are scenarios to compare', () => {
    expect(data.length).toBeGreaterThan(20);
  });

  test.each(data.map(({ name }, index) => [name, index] as const))('%s', async (_name, index) => {
    const { base, branches, tables } = data[index] as (typeof data)[number];
    const lost = new Set<string>();
    const undecided = new Set<string>();
    for (const { name, changes } of branches) {
      const facts = await readAll(applyChanges(base, changes));
      const isUnread = facts.some(([, { problem }]) => problem && !problem.isHarmless);
      const items = judged.get(`${index}/${name}`) ?? [];
      if (!isUnread)
        expect(namesOf(items, ({ status }) => status === 'satisfied')).toEqual(kept(tablesIn(facts), tables));
      for (const { name: column, status } of items) {
        if (status === 'undecided') undecided.add(column);
        else if (status !== 'satisfied') lost.add(column);
      }
    }
    const { findings, status } = await check(index);
    const dropped = findings
      .filter(({ rule }) => rule === 'C08')
      .flatMap(({ message }) => /column ([\w.]+\.\w+)/.exec(message)?.[1] ?? [])
      .filter((name) => contracts[index]?.entities.some((entity) => entity.name === name));
    expect([...lost]).toEqual(expect.arrayContaining(dropped));
    if (status === 'pass') expect([...undecided]).toEqual([]);
  });
});
