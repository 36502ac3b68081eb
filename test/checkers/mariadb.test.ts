import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergedSql } from '../support/merged-sql.ts';
import { type Errors, mergeCases, proveCase, writeCases } from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

// Debian's package: `apt-get install mariadb-server`. Its SQL is the one that MySQL's dialect is read for.
const root = mkdtempSync(join(tmpdir(), 'joinery-mariadb-'));
const socket = join(root, 'socket');
const data = join(root, 'data');
/** Without `--user` the server refuses to run as root. */
const common = ['--no-defaults', `--datadir=${data}`, ...(process.getuid?.() === 0 ? ['--user=root'] : [])];
const serverArguments = [...common, `--socket=${socket}`, '--skip-networking', `--pid-file=${data}/pid`];

const scenarios = readScenarios().filter(({ name }) => name.includes('/mysql-'));

describe('MariaDB agrees', async () => {
  const { git, cases } = await mergeCases(scenarios, root);
  const folders = await writeCases(git, cases, join(root, 'trees'));
  let errors: Errors = new Map();
  let server: ReturnType<typeof spawn> | undefined;

  beforeAll(async () => {
    execFileSync('mariadb-install-db', [...common, '--auth-root-authentication-method=normal'], {
      stdio: 'pipe',
    });
    server = spawn('mariadbd', serverArguments, {
      stdio: ['ignore', 'ignore', 'pipe'],
      // Debian keeps the server where only root looks for programs.
      env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
    });
    await ready(server);
    errors = new Map(folders.map((folder) => [folder, new Set(apply(folder, databaseOf(folders, folder)))]));
  }, 120_000);
  afterAll(async () => {
    await stopped(server);
    await rm(root, { recursive: true, force: true });
  }, 60_000);

  test.each(cases)('with $scenario.name', (entry) => proveCase(entry, errors));
  test.each(cases.filter(({ scenario }) => scenario.rule === 'C07'))(
    'the new column is lost with $scenario.name, or is not',
    ({ scenario, trees }) => {
      const isLost = scenario.expected.findings.length > 0;
      const columns = (name: string) => columnsOf(databaseOf(folders, trees.get(name)));
      expect(columns('a')).toContain('nickname');
      expect(columns('union').includes('nickname')).toBe(!isLost);
    },
  );
  test('there are conflicts and twins of each rule', () => {
    for (const rule of ['C07', 'C08', 'C09', 'M02', 'M03']) {
      const found = cases
        .filter(({ scenario }) => scenario.rule === rule)
        .map(({ scenario }) => scenario.expected.findings.length > 0);
      expect(new Set(found).size, rule).toBe(2);
    }
  });
});

/** Each tree has its own database. */
function databaseOf(folders: readonly string[], folder: string | undefined): string {
  return `tree${folders.indexOf(folder ?? '')}`;
}

function ready(server: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.once('error', reject);
    server.once('exit', () => reject(new Error(`the server ended: ${said}`)));
    server.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('ready for connections')) resolve();
    });
  });
}

async function stopped(server: ReturnType<typeof spawn> | undefined): Promise<void> {
  if (!server || server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGKILL');
  await ended;
}

/**
 * What MariaDB refuses in one tree: its migrations in order, then its queries. Changes of tables cannot be rolled back, so
 * nothing is; queries are only prepared, because they have parameters.
 */
function apply(folder: string, database: string): string[] {
  const { migrations, queries } = mergedSql(join(root, 'trees', folder));
  const prepared = queries.map((query) => `PREPARE query FROM '${query.trim().replace(/['\\]/g, '\\$&')}';`);
  const { stderr, status } = told([
    `CREATE DATABASE ${database}; USE ${database};`,
    ...migrations,
    ...prepared,
  ]);
  return status === 0 ? [] : [stderr.trim()];
}

function columnsOf(database: string): string[] {
  const query = `SELECT column_name FROM information_schema.columns WHERE table_schema = '${database}';`;
  return told([query]).stdout.trim().split('\n');
}

function told(statements: readonly string[]) {
  return spawnSync('mariadb', ['--no-defaults', `--socket=${socket}`, '--user=root', '--batch', '--silent'], {
    input: statements.join('\n'),
    encoding: 'utf8',
  });
}
