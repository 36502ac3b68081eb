import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readVisits } from '#app/visitors/spool.ts';
import { visitorRows } from '#app/visitors/visitor-rows.ts';
import { repoKey } from '#schema/paths.ts';
import { GitRepository } from '../support/git-repository.ts';
import { joinery, temporaryFolder } from '../support/joinery.ts';

function place(agent = 'claude') {
  const repository = new GitRepository();
  const home = temporaryFolder();
  const env = { HOME: home, JOINERY_STATE_DIR: join(home, 'state') };
  const path = join(repository.dir, `.${agent}`, 'settings.json');
  const state = join(home, 'state', repoKey(join(repository.dir, '.git')));
  return {
    path,
    home,
    write(text: string) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    },
    run: (...args: string[]) => joinery(['hooks', ...args, '--agent', agent], { cwd: repository.dir, env }),
    report: (input: string, more: Record<string, string> = {}) =>
      joinery(['hooks', 'record', '--agent', agent], {
        cwd: repository.dir,
        env: { ...env, ...more },
        input,
      }),
    visits: () => readVisits(state),
    dir: repository.dir,
  };
}

const theirs = `{
    // mine
    "permissions": { "allow": ["Bash(ls)"] },
    "hooks": {
        "PostToolUse": [
            { "matcher": "Edit", "hooks": [{ "type": "command", "command": "prettier" }] }
        ]
    }
}`;

describe.each(['claude', 'gemini'])('joinery hooks install --agent %s', (agent) => {
  test('adds entries beside those of others; uninstall restores the file byte for byte', async () => {
    const { write, run, path } = place(agent);
    write(theirs);
    const installed = await run('install');
    expect(installed.code).toBe(0);
    const text = readFileSync(path, 'utf8');
    expect(text).toContain('"command": "prettier"');
    expect(text.match(/joinery hooks record/g)).toHaveLength(5);
    // Nothing new is allowed.
    expect(text.match(/allow/g)).toHaveLength(1);
    expect((await run('install')).stdout).toContain('nothing to do');
    expect((await run('uninstall')).code).toBe(0);
    expect(readFileSync(path, 'utf8')).toBe(theirs);
  });

  test('creates a missing file, and removes it again', async () => {
    const { run, path } = place(agent);
    expect((await run('install', '--dry-run')).stdout).toContain('joinery hooks record');
    expect(existsSync(path)).toBe(false);
    await run('install');
    expect(existsSync(path)).toBe(true);
    await run('uninstall');
    expect(existsSync(path)).toBe(false);
  });
});

describe('joinery hooks', () => {
  test('removes only its own entries if the file was edited meanwhile', async () => {
    const { write, run, path } = place();
    write(theirs);
    await run('install');
    const edited = readFileSync(path, 'utf8')
      .replace('"prettier"', '"biome"')
      .replace('"timeout": 10,', '"timeout": 20,');
    writeFileSync(path, edited);
    await run('uninstall');
    const left = readFileSync(path, 'utf8');
    expect(left).not.toContain('joinery');
    const words = (text: string) => text.replace(/\s+/g, ' ');
    expect(words(left)).toBe(words(theirs.replace('"prettier"', '"biome"')));
  });

  test('refuses settings that are not JSON, and leaves them unchanged', async () => {
    const { write, run, path } = place();
    write('{ "hooks": ');
    const { code, stderr } = await run('install');
    expect(code).toBe(3);
    expect(stderr).toContain('is not a JSON object');
    expect(readFileSync(path, 'utf8')).toBe('{ "hooks": ');
  });

  test("with --global writes to the user's settings", async () => {
    const { run, home } = place();
    await run('install', '--global');
    expect(readFileSync(join(home, '.claude', 'settings.json'), 'utf8')).toContain('joinery hooks record');
  });

  test('records what an agent did and on which file, not what it said', async () => {
    const { report, visits, dir } = place();
    const tool = {
      session_id: 's1',
      hook_event_name: 'PostToolUse',
      tool_name: 'Edit',
      tool_input: { file_path: join(dir, 'src', 'a.ts'), new_string: 'hunter2' },
    };
    expect(await report(JSON.stringify(tool))).toMatchObject({ code: 0, stdout: '{}\n', stderr: '' });
    expect(visits()).toMatchObject([{ agent: 'claude', session: 's1', tool: 'Edit', file: 'src/a.ts' }]);
    expect(JSON.stringify(visits())).not.toContain('hunter2');
  });

  test('never disturbs the agent: unreadable reports are dropped', async () => {
    const { report, visits } = place();
    for (const input of ['', 'nonsense', '[]', '{"session_id": 7}', '{"cwd": "/nowhere"}'])
      expect(await report(input)).toMatchObject({ code: 0, stdout: '{}\n', stderr: '' });
    const own = JSON.stringify({ session_id: 's', hook_event_name: 'Stop' });
    await report(own, { JOINERY_ATTEMPT: 'run/task' });
    expect(visits()).toEqual([]);
  });
});

test('a visitor shows its last report, and has left when it says so or falls silent', () => {
  const visit = { agent: 'claude', session: 's', tool: null, file: null, folder: '/p' };
  const at = (minute: number) => new Date(minute * 60_000).toISOString();
  const now = 100 * 60_000;
  const rows = visitorRows(
    [
      { ...visit, at: at(60), moment: 'SessionStart' },
      { ...visit, at: at(90), moment: 'PostToolUse', tool: 'Edit', file: 'a.ts' },
      { ...visit, session: 'gone', at: at(95), moment: 'SessionEnd' },
      { ...visit, session: 'quiet', at: at(20), moment: 'Stop' },
    ],
    now,
  );
  expect(rows.map(({ session, doing, isGone }) => [session, doing, isGone])).toEqual([
    ['gone', 'left', true],
    ['s', 'Edit a.ts', false],
    ['quiet', 'left', true],
  ]);
  expect(visitorRows([{ ...visit, at: at(0), moment: 'Stop' }], 25 * 60 * 60_000)).toEqual([]);
});
