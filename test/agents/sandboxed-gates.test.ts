import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { guide, Project } from '../support/gates-project.ts';
import { temporaryFolder } from '../support/joinery.ts';

/** Asks a server of the test, and prints as programs do when they cannot. */
const ask = `fetch(process.env.ASKED).then(
  () => console.log('      Tests  1 passed (1)'),
  (error) => {
    console.log(' FAIL  a.test.ts > asks\\nError: ' + (error.cause?.code === 'ECONNREFUSED' ? 'connect ENETUNREACH' : error.message));
    console.log('      Tests  1 failed (1)');
    process.exit(1);
  },
);\n`;

async function serve(): Promise<string> {
  const server = createServer((_, answer) => answer.end('ok')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/`;
}

function projectOf(kind: 'lint' | 'test', network: readonly string[] = []) {
  return new Project({
    'AGENTS.md': guide(`- ${kind}: \`node ask.cjs\``),
    'joinery.json': JSON.stringify({ gates: { env: ['ASKED'], network } }),
    'ask.cjs': ask,
  });
}

async function run(project: Project, ...args: string[]) {
  project.write({ 'more.txt': 'work\n' });
  const env = { ASKED: await serve(), JOINERY_SANDBOX: '' };
  return project.run(['gates', '--full', ...args], env);
}

describe('a gate that works outside and not inside', () => {
  test('names what was refused and how to allow it; it is no failure of the work', async () => {
    const { code, stderr } = await run(projectOf('lint'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/was refused the network: .*ENETUNREACH/);
    expect(stderr).toContain('"gates": { "network": ["lint"] }');
    expect(stderr).toContain('ran contained (bubblewrap');
  });

  test('on base neither is a fault of the environment, never "fails on the base commit too"', async () => {
    const { code, stderr } = await run(projectOf('test'));
    expect(code).toBe(5);
    expect(stderr).toContain('does not work contained, on the base commit neither');
    expect(stderr).toContain('refused the network');
  });

  test('works once base allows it', async () => {
    const { code, stdout } = await run(projectOf('test', ['test']));
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('All gates passed') });
  });

  test('works outside, by a choice that the report and the record repeat', async () => {
    const { code, stderr } = await run(projectOf('lint'), '--no-sandbox');
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('ran not contained') });
    const { stdout } = await run(projectOf('lint'), '--no-sandbox', '--json');
    expect(JSON.parse(stdout).containment).toContain('--no-sandbox');
  });

  test('whose program lies in a hidden folder is told so', async () => {
    const home = temporaryFolder();
    const folder = join(home, 'private', 'tools');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'mytool'), '#!/bin/sh\nexec cat "$HOME/private/needed"\n', { mode: 0o755 });
    writeFileSync(join(home, 'private', 'needed'), '');
    const project = new Project({ 'AGENTS.md': guide('- lint: `mytool`') });
    const { code, stderr } = await project.run(['gates'], {
      ...{ HOME: home, PATH: `${folder}:${process.env.PATH}`, JOINERY_SANDBOX: '' },
    });
    expect(code).toBe(2);
    expect(stderr).toContain(`was refused the file ${join(home, 'private', 'needed')}`);
  });
});
