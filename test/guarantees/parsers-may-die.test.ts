import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, test } from 'vitest';
import { CheckReport } from '#schema/check-report.ts';
import { GitRepository } from '../support/git-repository.ts';
import { executable, joinery, temporaryFolder } from '../support/joinery.ts';

/** 180 KB of which the native parser of TypeScript dies: it needs more than two gigabytes. */
const deadly = `${'abstract '.repeat(20_000)}class X{}\n`;

function made(): GitRepository {
  const repository = new GitRepository();
  repository.commit({ 'a.ts': 'export const a = (x: number) => x;\n' });
  repository.branch('deadly', { 'deadly.ts': deadly });
  repository.branch('rename', { 'a.ts': 'export const renamed = (x: number) => x;\n' });
  repository.branch('use', { 'b.ts': "import { a } from './a.ts';\nexport const b = a(1);\n" });
  return repository;
}

const surroundings = (repository: GitRepository) => ({
  cwd: repository.dir,
  env: { JOINERY_CACHE_DIR: temporaryFolder(), JOINERY_STATE_DIR: temporaryFolder() },
});

describe('a branch with a text that a parser dies of', () => {
  test('check: the file is unreadable, and the conflict of the other branches is found', async () => {
    const repository = made();
    const { code, stdout } = await joinery(
      ['check', '--json', '--confirm', 'none'],
      surroundings(repository),
    );
    const report = CheckReport.parse(JSON.parse(stdout));
    expect(report.inconclusive).toEqual([
      { file: 'deadly.ts', reason: expect.stringMatching(/^on deadly: line 1: its parser /) },
    ]);
    expect(report.findings.map(({ rule }) => rule)).toContain('S02');
    expect(code).toBe(1);
  });

  test('alone it makes the check undecided: exit 2', async () => {
    const { code } = await joinery(['check', 'main', 'deadly', '--confirm', 'none'], surroundings(made()));
    expect(code).toBe(2);
  });

  test('ground and risk answer', async () => {
    const repository = made();
    const ground = await joinery(['ground', 'deadly'], surroundings(repository));
    expect(ground.signal).toBeNull();
    expect(ground.stdout).toMatch(/deadly\.ts: .*its parser /);
    const risk = await joinery(['risk', 'deadly', '--json'], surroundings(repository));
    expect([risk.signal, JSON.parse(risk.stdout).status]).not.toEqual([null, 'error']);
  });

  test('the MCP server answers, and goes on answering', async () => {
    const repository = made();
    const { cwd, env } = surroundings(repository);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [executable, 'mcp'],
        cwd,
        env: { PATH: process.env.PATH ?? '', ...env },
        stderr: 'ignore',
      }),
    );
    try {
      const call = () =>
        client.callTool({ name: 'check', arguments: { branches: ['deadly'] } }, undefined, {
          timeout: 200_000,
        });
      expect(JSON.stringify((await call()).content)).toContain('deadly.ts');
      expect(JSON.stringify((await call()).content)).toContain('deadly.ts');
    } finally {
      await client.close();
    }
  });

  test('a run whose agent writes it ends with an answer', async () => {
    const repository = new GitRepository();
    repository.commit({ 'a.ts': 'export const a = 1;\n' });
    const outside = temporaryFolder();
    const file = (name: string, content: object) => {
      writeFileSync(join(outside, name), JSON.stringify(content));
      return join(outside, name);
    };
    const plan = file('plan.json', {
      schema: 'joinery/plan@1',
      tasks: [{ id: 'a', title: 'A', files: ['deadly.ts'] }],
    });
    const scenario = file('scenario.json', {
      schema: 'joinery/scenario@1',
      attempts: [{ task: 'a', do: [{ write: { path: 'deadly.ts', content: deadly } }] }],
    });
    const { code, signal, stderr } = await joinery(
      ['run', '--no-land', '--plan', plan, '--agent', 'scripted', '--scenario', scenario],
      surroundings(repository),
    );
    expect({ signal, stderr }).toEqual({ signal: null, stderr: expect.not.stringContaining('panicked') });
    expect([1, 2]).toContain(code);
  });
});
