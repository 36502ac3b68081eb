import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

interface Case {
  readonly agent: string;
  readonly file: (project: string, home: string) => string;
  readonly before: string;
  /** Expected in the file afterwards. */
  readonly entry: RegExp;
}

const cases: readonly Case[] = [
  {
    agent: 'claude',
    file: (project) => join(project, '.mcp.json'),
    before: '{\n    // ours\n    "mcpServers": {\n        "other": { "command": "x" }\n    }\n}',
    entry: /"joinery": \{\s+"command": "joinery",\s+"args": \[\s+"mcp"\s+\]/,
  },
  {
    agent: 'codex',
    file: (_project, home) => join(home, '.codex', 'config.toml'),
    before: 'model = "x" # mine\n\n[mcp_servers.other]\ncommand = "y"',
    entry: /\[mcp_servers\.joinery\]\ncommand = "joinery"\nargs = \["mcp"\]\n$/,
  },
  {
    agent: 'gemini',
    file: (project) => join(project, '.gemini', 'settings.json'),
    before: '{"theme":"dark"}\r\n',
    entry: /"theme":\s*"dark"[\s\S]*"mcpServers"/,
  },
  {
    agent: 'opencode',
    file: (project) => join(project, 'opencode.json'),
    before: '{\n  "mcp": {}\n}\n',
    entry: /"type": "local",\s+"command": \[\s+"joinery",\s+"mcp"/,
  },
  {
    agent: 'cursor',
    file: (project) => join(project, '.cursor', 'mcp.json'),
    before: '{\n\t"mcpServers": {\n\t\t"a": {}\n\t},\n\t"b": 1\n}\n',
    entry: /"joinery"/,
  },
];

describe.each(cases)('mcp install --agent $agent', ({ agent, file, before, entry }) => {
  function place() {
    const repository = new GitRepository();
    const home = temporaryFolder();
    const env = { HOME: home, CODEX_HOME: undefined, JOINERY_STATE_DIR: join(home, 'state') };
    const run = (...args: string[]) =>
      joinery(['mcp', ...args, '--agent', agent], { cwd: repository.dir, env });
    return { path: file(repository.dir, home), run };
  }

  test('adds the entry beside existing ones, and removes exactly that', async () => {
    const { path, run } = place();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, before);
    const dry = await run('install', '--dry-run');
    expect([dry.code, readFileSync(path, 'utf8')]).toEqual([0, before]);
    expect(dry.stdout).toMatch(/^\+ .*joinery/m);
    expect((await run('install')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toMatch(entry);
    expect((await run('install')).stdout).toContain('nothing to do');
    expect((await run('uninstall')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(before);
    expect((await run('uninstall')).stdout).toContain('nothing to do');
  });

  test('creates a missing file, and removes it again', async () => {
    const { path, run } = place();
    await run('install');
    expect(readFileSync(path, 'utf8')).toContain('joinery');
    await run('uninstall');
    expect(existsSync(path)).toBe(false);
  });

  test('keeps what somebody else wrote meanwhile', async () => {
    const { path, run } = place();
    await run('install');
    const grown =
      agent === 'codex'
        ? `${readFileSync(path, 'utf8')}\n[late]\nx = 1\n`
        : readFileSync(path, 'utf8').replace('{', '{ "late": 1,');
    writeFileSync(path, grown);
    await run('uninstall');
    expect(readFileSync(path, 'utf8')).toContain('late');
    expect(readFileSync(path, 'utf8')).not.toContain('"joinery"');
  });

  test('an unreadable file is not changed', async () => {
    const { path, run } = place();
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, '{{{');
    const { code, stderr } = await run('install');
    expect([code, readFileSync(path, 'utf8')]).toEqual([3, '{{{']);
    expect(stderr).toContain(path);
  });
});
