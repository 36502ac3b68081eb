import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';
import { sample } from '../support/sampling.ts';

const { numRuns: size } = sample('modules in a shared cache', { normal: 40, wide: 120, soak: 120 });

const { numRuns: kinds } = sample('kinds of damage to a cache', { normal: 1, soak: 3 });

function clashingRepository(others: Readonly<Record<string, string>> = {}): GitRepository {
  const repository = new GitRepository();
  const modules = Object.fromEntries(
    Array.from({ length: size }, (_, n) => [`pkg/m${n}.py`, `def f${n}(a):\n    return a\n`]),
  );
  repository.commit({ 'pkg/__init__.py': '', ...modules, ...others });
  repository.branch(
    'a',
    Object.fromEntries(Object.keys(modules).map((path, n) => [path, `def g${n}(a):\n    return a\n`])),
  );
  repository.branch('b', {
    'pkg/use.py': Array.from({ length: size }, (_, n) => `from pkg.m${n} import f${n}\n`).join(''),
  });
  return repository;
}

function check(repository: GitRepository, cache: string) {
  return joinery(['check', '--confirm', 'none', 'main', 'a', 'b', '--json'], {
    cwd: repository.dir,
    env: { JOINERY_CACHE_DIR: cache },
  });
}

test('two checks at once share one cache and agree', async () => {
  const repository = clashingRepository();
  const cache = temporaryFolder();
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => check(repository, cache)));
  expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
  expect(new Set(outcomes.map(({ stdout }) => stdout)).size).toBe(1);
  expect(JSON.parse(outcomes[0]?.stdout ?? '').degraded).toEqual([]);
  expect(
    readdirSync(join(cache, 'objects')).flatMap((repo) => readdirSync(join(cache, 'objects', repo))),
  ).toEqual([]);
});

test.each(['facts.db', 'outcomes.db'])('a damaged cache is detected and rebuilt: %s', async (name) => {
  const repository = clashingRepository();
  const cache = temporaryFolder();
  const file = join(cache, name);
  const { stdout: expected } = await check(repository, cache);
  const damages = [
    () => writeFileSync(file, 'this is not a database'),
    () => truncateSync(file, Math.floor(statSync(file).size / 2)),
    () => scribble(file),
  ];
  for (const damage of damages.slice(-kinds)) {
    // A cached report would hide the state of the facts.
    if (name === 'facts.db') rmSync(join(cache, 'outcomes.db'), { force: true });
    damage();
    expect((await check(repository, cache)).stdout).toBe(expected);
    expect((await check(repository, cache)).stdout).toBe(expected);
    expect(existsSync(file)).toBe(true);
  }
});

/** A checked repository in which a branch has moved since, and the result of a check without a cache now. */
async function movedSinceCheck() {
  const repository = clashingRepository();
  const cache = temporaryFolder();
  await check(repository, cache);
  repository.git('checkout', '-q', 'a');
  repository.commit({ 'pkg/m0.py': 'def h0(a):\n    return a\n' });
  const { stdout: expected } = await check(repository, temporaryFolder());
  return { repository, cache, expected };
}

test('links that turn out to be damaged when they are needed are recomputed', async () => {
  const { repository, cache, expected } = await movedSinceCheck();
  const database = new DatabaseSync(join(cache, 'outcomes.db'));
  const { changes } = database
    .prepare("UPDATE outcomes SET answer = replace(answer, 'pkg', 'pgk') WHERE answer LIKE '________-____-%'")
    .run();
  database.close();
  expect(changes).toBeGreaterThan(0);
  expect((await check(repository, cache)).stdout).toBe(expected);
  expect((await check(repository, cache)).stdout).toBe(expected);
});

test('links that another check has replaced in between are not mixed up with these', async () => {
  const { repository, cache, expected } = await movedSinceCheck();
  // As another process would leave them: complete, but in another order and with another stamp.
  const database = new DatabaseSync(join(cache, 'outcomes.db'));
  const rows = database
    .prepare("SELECT question, answer FROM outcomes WHERE answer LIKE '________-____-%'")
    .all();
  expect(rows.length).toBeGreaterThan(0);
  for (const { question, answer } of rows) {
    const [, ...lines] = String(answer).split('\n');
    const replaced = [randomUUID(), ...lines.reverse()].join('\n');
    const crc = crc32(replaced, crc32(String(question)));
    database
      .prepare('UPDATE outcomes SET answer = ?, crc = ? WHERE question = ?')
      .run(replaced, crc, question ?? '');
  }
  database.close();
  expect((await check(repository, cache)).stdout).toBe(expected);
  expect((await check(repository, cache)).stdout).toBe(expected);
});

/** Overwrites letters inside stored facts, which leaves the database itself well formed. */
function scribble(file: string): void {
  const handle = openSync(file, 'r+');
  for (let at = 5000; at < statSync(file).size; at += 4096) writeSync(handle, 'XXXXXXXX', at);
  closeSync(handle);
}

test('a check is cached although the clone lacks a file of base that no branch changes', async () => {
  const answers = async (isLacking: boolean): Promise<number> => {
    const repository = clashingRepository({ 'docs/picture.txt': 'far away\n' });
    const blob = repository.git('rev-parse', 'HEAD:docs/picture.txt');
    if (isLacking) rmSync(join(repository.dir, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const cache = temporaryFolder();
    expect((await check(repository, cache)).code).toBe(1);
    const database = new DatabaseSync(join(cache, 'outcomes.db'));
    const { count } = database.prepare('SELECT count(*) AS count FROM outcomes').get() ?? {};
    database.close();
    return Number(count);
  };
  expect(await answers(true)).toBe(await answers(false));
});

test('answers computed without a file of base do not count once the file has arrived', async () => {
  const repository = new GitRepository();
  repository.commit({
    'styles/app.css': '.user-card { border: 1px solid; }\n',
    'pages/old.html': '<div class="user-card">Ada</div>\n',
  });
  repository.branch('a', { 'styles/app.css': '.profile-card { border: 1px solid; }\n' });
  repository.branch('b', { 'pages/home.html': '<div class="user-card">Bob</div>\n' });
  const blob = repository.git('rev-parse', 'HEAD:pages/old.html');
  const object = join(repository.dir, '.git', 'objects', blob.slice(0, 2), blob.slice(2));
  const cache = temporaryFolder();
  const rules = async () => {
    const { findings } = JSON.parse((await check(repository, cache)).stdout) as {
      findings: { rule: string }[];
    };
    return findings.map(({ rule }) => rule);
  };
  renameSync(object, `${object}.away`);
  expect(await rules()).toEqual(['N01']);
  expect(await rules()).toEqual(['N01']);
  renameSync(`${object}.away`, object);
  expect(await rules()).toEqual([]);
});
