import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRepository } from '#git/call/repository.ts';
import { filesOfCommit } from '#git/trees/files-at.ts';
import { compileGlobs } from '#lib/glob.ts';
import { GitRepository } from '#test/support/git-repository.ts';
import { readBaseRules } from './base-rules.ts';
import { gateInputs, gatePart } from './inputs.ts';
import { selectGates } from './select.ts';

const section = (...lines: string[]) => `# Guide\n## Quality Gates\n${lines.join('\n')}\n`;

async function definitionsOf(repository: GitRepository, commit = repository.git('rev-parse', 'HEAD')) {
  const opened = await openRepository(repository.dir);
  const { gates } = await readBaseRules(commit, filesOfCommit(opened.git, commit));
  return gates;
}

describe('gate definitions', () => {
  test('come from the named commit, whatever is in the worktree', async () => {
    const repository = new GitRepository();
    const base = repository.commit({ 'AGENTS.md': section('- test: `npm test`', '- lint: `npm run lint`') });
    repository.commit({ 'AGENTS.md': section('- test: `exit 0`') });
    repository.write({
      'AGENTS.md': null,
      'joinery.json': '{"gates":{"commands":[{"kind":"test","run":"true"}]}}',
    });
    const { gates, file, commit } = await definitionsOf(repository, base);
    expect({ file, commit }).toEqual({ file: 'AGENTS.md', commit: base });
    expect(gates.map(({ id, command, origin }) => [id, command, origin])).toEqual([
      ['lint', 'npm run lint', 'AGENTS.md:4'],
      ['test', 'npm test', 'AGENTS.md:3'],
    ]);
  });

  test('from the config replace the section, with a timeout each', async () => {
    const repository = new GitRepository();
    const gates = {
      timeoutSeconds: 60,
      commands: [
        { kind: 'test', run: 'pytest', subsystem: 'backend', timeoutSeconds: 5 },
        { kind: 'lint', run: 'ruff check' },
      ],
    };
    repository.commit({
      'AGENTS.md': section('- test: a'),
      'joinery.jsonc': `// ours\n${JSON.stringify({ gates })}`,
    });
    const definitions = await definitionsOf(repository);
    expect(definitions.file).toBe('joinery.jsonc');
    expect(definitions.gates.map(({ id, timeoutMs }) => [id, timeoutMs])).toEqual([
      ['lint', 60_000],
      ['backend/test', 5000],
    ]);
  });

  test('follow a link from AGENTS.md to CLAUDE.md, and use CLAUDE.md if AGENTS.md has no section', async () => {
    const repository = new GitRepository();
    repository.write({ 'CLAUDE.md': section('- lint: a') });
    symlinkSync('CLAUDE.md', join(repository.dir, 'AGENTS.md'));
    repository.commit({});
    expect((await definitionsOf(repository)).gates).toMatchObject([{ command: 'a' }]);
    repository.commit({ 'AGENTS.md': null });
    repository.commit({ 'AGENTS.md': '# No gates here\n' });
    expect(await definitionsOf(repository)).toMatchObject({ file: 'CLAUDE.md', gates: [{ command: 'a' }] });
  });

  test('may be empty, but never unreadable', async () => {
    const repository = new GitRepository();
    repository.commit({ 'README.md': 'x' });
    expect(await definitionsOf(repository)).toMatchObject({ file: null, gates: [] });
    repository.commit({ 'AGENTS.md': section('Be careful.') });
    await expect(definitionsOf(repository)).rejects.toThrow(
      /in commit [0-9a-f]{12}: AGENTS.md:2: .*no command/,
    );
    repository.commit({ 'AGENTS.md': null, 'joinery.json': '{"gates":{"timeoutSeconds":0}}' });
    await expect(definitionsOf(repository)).rejects.toThrow(
      /in commit .*joinery.json:1:\d+: "gates.timeoutSeconds"/,
    );
    repository.commit({ 'joinery.json': '{' });
    await expect(definitionsOf(repository)).rejects.toThrow(/in commit .*not valid JSON/);
  });
});

describe('the gates for a change', () => {
  const repositoryWithSubsystems = (config = {}) => {
    const repository = new GitRepository();
    repository.commit({
      'AGENTS.md': section(
        '- typecheck: t',
        '### Frontend',
        '- lint: f',
        '### Backend',
        '- lint: b',
        '- test: bt',
      ),
      'joinery.json': JSON.stringify({ gates: config }),
    });
    return repository;
  };

  test.each([
    ['one subsystem', ['src/frontend/a.ts', 'README.md'], ['f', 't']],
    ['a folder named like it, anywhere', ['packages/backend/x/y.py'], ['b', 't', 'bt']],
    ['a declared folder', ['src/backend/'], ['b', 't', 'bt']],
    ['several subsystems', ['frontend/a.ts', 'backend/b.py'], ['f', 'b', 't', 'bt']],
    ['no subsystem at all', ['README.md'], ['f', 'b', 't', 'bt']],
    ['no files', [], ['f', 'b', 't', 'bt']],
  ])('%s', async (_name, files, expected) => {
    const definitions = await definitionsOf(repositoryWithSubsystems());
    expect(selectGates(definitions, files, 'full').map(({ command }) => command)).toEqual(expected);
    const fast = expected.filter((command) => command !== 'bt');
    expect(selectGates(definitions, files, 'fast').map(({ command }) => command)).toEqual(fast);
  });

  test('follows configured globs', async () => {
    const definitions = await definitionsOf(
      repositoryWithSubsystems({ subsystems: { front: ['web/**', '!web/docs/**'], backend: ['api/**'] } }),
    );
    const commandsFor = (...files: string[]) =>
      selectGates(definitions, files, 'fast').map(({ command }) => command);
    expect(commandsFor('web/a.ts')).toEqual(['f', 't']);
    expect(commandsFor('api/a.py', 'web/docs/a.md')).toEqual(['b', 't']);
    expect(commandsFor('src/frontend/a.ts')).toEqual(['f', 'b', 't']);
  });
});

describe('what gates depend on', () => {
  const gate = (command: string) => ({
    id: 'x',
    kind: 'test' as const,
    command,
    subsystem: null,
    timeoutMs: 1,
    origin: '',
  });
  const touches = (path: string, ...commands: string[]) =>
    gateInputs({ gates: commands.map(gate) })
      .filter(({ glob }) => compileGlobs([glob])(path))
      .map(({ part }) => part);

  test.each([
    ['AGENTS.md', ['gate-section']],
    ['package.json', ['package-settings']],
    ['apps/web/package.json', ['package-settings']],
    ['apps/web/vitest.config.ts', ['whole']],
    ['.github/workflows/ci.yml', ['whole']],
    ['tsconfig.build.json', ['whole']],
    ['.eslintrc.cjs', ['whole']],
    ['Makefile', ['whole']],
    ['src/package.ts', []],
    ['docs/AGENTS.md', []],
  ])('%s', (path, parts) => {
    expect(touches(path)).toEqual(parts);
  });

  test('includes the scripts that a command names, below the folder it changes to', () => {
    expect(touches('scripts/check.sh', 'bash scripts/check.sh --all')).toEqual(['whole']);
    expect(touches('web/tools/test.mjs', 'cd web && node tools/test.mjs')).toEqual(['whole']);
    expect(touches('tools/test.mjs', 'cd web && node tools/test.mjs')).toEqual([]);
    expect(touches('check', './check')).toEqual(['whole']);
    expect(touches('tools/lint.json', 'CI=1 eslint --config=tools/lint.json src/a.ts')).toEqual(['whole']);
  });

  test('leaves out files that a command only reads', () => {
    expect(touches('src/a.ts', 'eslint src/a.ts')).toEqual([]);
    expect(touches('src/a.js', 'node --check src/a.js')).toEqual([]);
    expect(touches('test/a.js', 'node --test test/a.js', 'python3 -m pytest test/a.js')).toEqual([]);
  });

  test('compares only the relevant part', () => {
    const python = (text: string) => gatePart('python-tools', text);
    expect(python('[project]\nname = "a"\n[tool.ruff]\nline-length = 1')).toBe(
      python('[tool.ruff]\nline-length = 1'),
    );
    expect(python('[tool.ruff]\nline-length = 1')).not.toBe(python('[tool.ruff]\nline-length = 2'));
    expect(python('[tool.hatch.version]\npath = "a"')).toBe(python(''));
    expect(python('[tool.hatch.envs.test]\nscripts = ["true"]')).not.toBe(python(''));
    expect(gatePart('gates-setting', '{"gates":{"a":1},"base":"x"}')).toBe(
      gatePart('gates-setting', '{"gates":{"a":1}}'),
    );
  });
});

test('settings nested too deeply for a parser are compared as a whole', () => {
  const deep = `{"gates":${'['.repeat(30_000)}${']'.repeat(30_000)}}`;
  expect(gatePart('gates-setting', deep)).toBe(deep);
});
