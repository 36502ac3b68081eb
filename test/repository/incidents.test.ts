import { mkdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ask, telling } from '#bench/incidents/ask.ts';
import { halfOf, Incident, readCleanPairs, readIncidents } from '#bench/incidents/incident.ts';
import { rebuild, rebuildClean } from '#bench/incidents/rebuild.ts';
import { cloneIn, fetchCommits, openStore, type Store } from '#bench/incidents/store.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';

const opened: Store[] = [];
afterEach(() => {
  for (const store of opened.splice(0)) store.remove();
});

/** main: one change renames a function, the next one, made without it, calls the old name; a third repairs that. */
function history(
  wrong: 'nothing' | 'side breaks alone' | 'repair is elsewhere' | 'text conflicts' = 'nothing',
) {
  const repository = new GitRepository();
  const commit = (files: Record<string, string>) => repository.commit(files, 'a change');
  commit({
    'area.ts': 'export function area(side: number) {\n  return side * side;\n}\n',
    'first.ts': "import { area } from './area.ts';\nexport const one = area(1);\n",
    'notes.md': 'notes\n',
  });
  if (wrong === 'side breaks alone')
    commit({ 'area.ts': 'export function surface(side: number) {\n  return side * side;\n}\n' });
  const earlier = commit({
    'area.ts': 'export function surface(side: number) {\n  return side * side;\n}\nexport const unit = 1;\n',
    'first.ts': "import { surface } from './area.ts';\nexport const one = surface(1);\n",
    ...(wrong === 'text conflicts' ? { 'second.ts': 'export const two = 2;\n' } : {}),
  });
  if (wrong === 'text conflicts') commit({ 'second.ts': '' });
  const later = commit({ 'second.ts': "import { area } from './area.ts';\nexport const two = area(2);\n" });
  const repair = commit(
    wrong === 'repair is elsewhere'
      ? { 'notes.md': 'better notes\n' }
      : { 'second.ts': "import { surface } from './area.ts';\nexport const two = surface(2);\n" },
  );
  const row: Incident = Incident.parse({
    repository: 'some/project',
    language: 'typescript',
    category: 'renamed',
    date: '2026-01-01',
    earlier,
    later,
    repair,
    links: ['https://example.org/1'],
    broke: 'A function was renamed; a new file of the other change uses the old name.',
    name: 'area',
    pattern: [
      { side: 'earlier', path: 'area.ts', is: 'removed', text: 'function area(' },
      { side: 'later', path: 'second.ts', is: 'added', text: 'area(2)' },
    ],
    twin: 'later',
    oracle: 'upstream',
  });
  return { repository, row };
}

function storeOf(repository: GitRepository): Store {
  const store = openStore(repository.dir);
  opened.push(store);
  return store;
}

function refusal(from: ReturnType<typeof history>, changes: Partial<Incident> = {}): string | null {
  const built = rebuild(storeOf(from.repository), { ...from.row, ...changes });
  return 'refused' in built ? built.refused : null;
}

test('a true row is rebuilt: check finds the incident and says nothing about the repaired pair', async () => {
  const { repository, row } = history();
  const store = storeOf(repository);
  const built = rebuild(store, row);
  if ('refused' in built) throw new Error(built.refused);
  const command = join(import.meta.dirname, '../../bin/joinery.js');
  const pair = await ask(command, store, built.pair, 'none');
  expect(pair.status).toBe('fail');
  expect(telling(row, pair.findings).map(({ rule }) => rule)).toContain('S02');
  const elsewhere = row.pattern.map((half) => ({ ...half, path: 'elsewhere.ts' }));
  expect(telling({ ...row, pattern: elsewhere }, pair.findings)).toEqual([]);
  const twin = await ask(command, store, built.twin, 'none');
  expect(twin.status).toBe('pass');
  expect(repository.git('status', '--porcelain')).toBe('');
});

test('a row is refused if a side has the whole pattern, or base has a half of it', () => {
  const broken = history('side breaks alone');
  expect(refusal(broken)).toMatch(/stands on base already|does not stand/);
  const { row } = history();
  const [provider, consumer] = row.pattern;
  if (!provider || !consumer) throw new Error('the row has no pattern');
  expect(
    refusal(history(), {
      pattern: [
        { ...provider, side: 'later' },
        { ...consumer, side: 'earlier' },
      ],
    }),
  ).toMatch(/does not stand on the later side/);
});

test('a row is refused if git does not merge the two changes', () => {
  expect(refusal(history('text conflicts'))).toMatch(/does not apply to base|does not merge/);
});

test('a row is refused if its repair does not touch what broke, does not apply or is on the other side', () => {
  expect(refusal(history('repair is elsewhere'))).toMatch(/about something else/);
  const from = history();
  expect(refusal(from, { repair: from.row.later })).toMatch(/does not apply to the union/);
  expect(refusal(from, { twin: 'earlier' })).toMatch(/earlier side/);
});

test('a row is refused if a commit is missing', () => {
  expect(refusal(history(), { repair: '0'.repeat(40) })).toMatch(/missing/);
});

test('a clean pair is two changes that git merges', () => {
  const { repository, row } = history();
  expect(rebuildClean(storeOf(repository), row.earlier, row.later)).toHaveProperty('base');
  expect(rebuildClean(storeOf(repository), row.later, row.repair)).toEqual({
    refused: 'the later change does not apply to base',
  });
});

test('clones are found below a folder as owner+name, and commits are fetched by id without one', () => {
  const { repository, row } = history();
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'some+project'));
  const place = join(folder, 'some+project/repo');
  repository.git('config', 'uploadpack.allowAnySHA1InWant', 'true');
  const store = openStore(null);
  opened.push(store);
  expect(store.has(row.later)).toBe(false);
  expect(fetchCommits(store, repository.dir, [row.earlier, row.later, row.repair])).toBe(true);
  expect(rebuild(store, row)).toHaveProperty('twin');
  expect(fetchCommits(store, repository.dir, ['0'.repeat(40)])).toBe(false);
  renameSync(repository.dir, place);
  expect(cloneIn(folder, 'some/project')).toBe(place);
  expect(cloneIn(folder, 'some/other')).toBeNull();
});

test('a malformed row is refused', () => {
  const { row } = history();
  const { success } = Incident.safeParse(row);
  expect(success).toBe(true);
  const [half] = row.pattern;
  for (const wrong of [
    { category: 'other' },
    { earlier: 'abc' },
    { links: [] },
    { repository: 'project' },
    { pattern: [half, half] },
    { pattern: [{ ...half, text: 'x'.repeat(200) }, row.pattern[1]] },
    { code: 'copied' },
  ])
    expect(Incident.safeParse({ ...row, ...wrong }).success).toBe(false);
});

test('the rows of the corpus are well formed, and each half has repositories of its own', () => {
  const rows = readIncidents();
  expect(rows.length).toBeGreaterThan(0);
  for (const each of [...rows, ...readCleanPairs()])
    expect(['learn', 'held']).toContain(halfOf(each.repository));
  expect(halfOf('Some/Project')).toBe(halfOf('some/project'));
});
