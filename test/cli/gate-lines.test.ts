import { describe, expect, test } from 'vitest';
import { guide, Project } from '../support/gates-project.ts';

/** The forms that were dropped without a word, with a gate that fails. */
const written = [
  '- e2e: `false`',
  '- **e2e**: `false`',
  '- lint2: `false`',
  '- lint `false`',
  '1. typecheck: `false`',
  '| Gate | Command |\n|---|---|\n| e2e | `false` |',
];

describe('no line of the gates is skipped in silence', () => {
  test.each(written)('%j runs and fails', async (line) => {
    const project = new Project({ 'AGENTS.md': guide('- lint: `echo fine`', '', line) });
    const { code, stdout } = await project.run(['gates', '--full']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '1 of 2 gates failed.\n' });
  });

  test.each([
    ['- lint: `echo fine`\n- run `false` too', 6],
    ['```sh\nfalse\n```', 6],
    ['- lint: `echo fine`\n- smoke: make smoke', 6],
  ])('%j stops gates and landing, with file and line', async (lines, line) => {
    const project = new Project({ 'AGENTS.md': guide(lines), 'a.js': 'export const a = 1;\n' });
    project.branch('work', { 'b.js': 'export const b = 2;\n' });
    for (const args of [['gates'], ['integrate', 'work', '--land']]) {
      const { code, stderr } = await project.run(args);
      expect({ args, code }).toEqual({ args, code: 3 });
      expect(stderr).toContain(`AGENTS.md:${line}: `);
    }
    expect(project.git('log', '--format=%s', 'main')).not.toContain('work');
  });

  test('a check needs no gates: it says that they cannot be read, and goes on with the tests of the manifest', async () => {
    const project = new Project({
      'AGENTS.md': guide('- run the tests with `npm t`'),
      'package.json': '{"scripts":{"test":"node run.js"}}',
    });
    project.branch('one', { 'b.js': 'export const b = 2;\n' });
    project.branch('two', { 'c.js': 'export const c = 2;\n' });
    const { code, stderr, stdout } = await project.run(['check', 'main', 'one', 'two', '--confirm', 'tests']);
    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(stderr).toMatch(/AGENTS\.md:5: a command without a name.*; this check uses what manifests say/);
    const settings = await project.run(['secrets', '--staged']);
    expect(settings.code).toBe(0);
  });

  test('scripts of package.json that no gate runs are offered', async () => {
    const scripts = { lint: 'true', 'test:e2e': 'false', start: 'true', typecheck: 'true' };
    const project = new Project({
      'AGENTS.md': guide('- lint: `npm run lint`'),
      'package.json': JSON.stringify({ scripts }),
    });
    const { stderr } = await project.run(['gates']);
    expect(stderr).toContain('not a gate: npm run test:e2e (package.json)');
    expect(stderr).toContain('not a gate: npm run typecheck (package.json)');
    expect(stderr).not.toContain('not a gate: npm run lint');
    expect(stderr).not.toContain('npm run start');
    const bare = new Project({ 'package.json': '{"scripts":{"lint":"true"}}' });
    expect((await bare.run(['gates'])).stderr).toContain('- lint: `npm run lint`');
  });
});
