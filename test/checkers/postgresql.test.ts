import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mergedSql } from '../support/merged-sql.ts';
import { type Errors, hasFiles, mergeCases, proveCase, writeCases } from '../support/scenario/cases.ts';
import { readScenarios } from '../support/scenario/read-scenarios.ts';

/** Debian's package: `apt-get install postgresql`. */
const programs = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').map((version) => join('/usr/lib/postgresql', version, 'bin'))
  : [];
const bin = programs.at(-1) ?? '';

const root = mkdtempSync(join(tmpdir(), 'joinery-postgresql-'));
// The server refuses to run as root, so it gets a separate folder and user.
chmodSync(root, 0o755);
const home = join(root, 'server');
const isRoot = process.getuid?.() === 0;
const asServer = (program: string, args: readonly string[]): [string, string[]] =>
  isRoot ? ['runuser', ['-u', 'postgres', '--', program, ...args]] : [program, [...args]];

const scenarios = readScenarios().filter(
  ({ rule, name }) => /^(?:C07|C08|C09|M02|M03)$/.test(rule) && name.includes('/sql-'),
);

describe('PostgreSQL agrees', async () => {
  const { git, cases } = await mergeCases(scenarios, root);
  const folders = await writeCases(git, cases, join(root, 'trees'));
  const sql = cases.filter((entry) => hasFiles(entry, /\.sql$/));
  let errors: Errors = new Map();
  let server: ReturnType<typeof spawn> | undefined;

  beforeAll(async () => {
    mkdirSync(home);
    if (isRoot) execFileSync('chown', ['postgres', home]);
    const [initdb, made] = asServer(join(bin, 'initdb'), [
      '-D',
      join(home, 'data'),
      '-A',
      'trust',
      '-U',
      'oracle',
      '--no-sync',
    ]);
    execFileSync(initdb, made, { stdio: 'pipe', cwd: home });
    const [postgres, args] = asServer(join(bin, 'postgres'), [
      '-D',
      join(home, 'data'),
      '-k',
      home,
      '-c',
      'listen_addresses=',
      '-F',
    ]);
    server = spawn(postgres, args, { stdio: ['ignore', 'ignore', 'pipe'], cwd: home });
    await ready(server);
    errors = new Map(folders.map((folder) => [folder, new Set(apply(folder))]));
  }, 120_000);
  afterAll(async () => {
    const [ctl, args] = asServer(join(bin, 'pg_ctl'), ['stop', '-D', join(home, 'data'), '-m', 'immediate']);
    spawnSync(ctl, args, { cwd: home });
    await rm(root, { recursive: true, force: true });
  }, 60_000);

  test.each(sql)('with $scenario.name', (entry) => proveCase(entry, errors));
  test('there are scenarios', () => expect(sql.length).toBeGreaterThan(10));
});

function ready(server: ReturnType<typeof spawn>): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    server.once('exit', () => reject(new Error(`the server ended: ${said}`)));
    server.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('ready to accept connections')) resolve();
    });
  });
}

/** What PostgreSQL refuses in one tree: its migrations in order, then its queries; everything is rolled back. */
function apply(folder: string): string[] {
  const { migrations, queries } = mergedSql(join(root, 'trees', folder));
  const text = [...migrations, ...queries].join('\n');
  const { stderr, status } = spawnSync(
    join(bin, 'psql'),
    ['-h', home, '-U', 'oracle', '-d', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null'],
    { input: `BEGIN;\n${text}\nROLLBACK;\n`, encoding: 'utf8' },
  );
  return status === 0 ? [] : [stderr.split('\n').find((line) => line.includes('ERROR')) ?? stderr];
}
