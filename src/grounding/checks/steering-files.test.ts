import { expect, test } from 'vitest';
import { groundedValues } from '#test/support/grounded.ts';
import { steers } from './steering-files.ts';

test.each([
  'CLAUDE.md',
  'CLAUDE.local.md',
  'docs/AGENTS.md',
  'AGENTS.override.md',
  'GEMINI.md',
  'qwen.md',
  '.claude/settings.json',
  'pkg/.claude/skills/a/SKILL.md',
  '.codex/config.toml',
  '.gemini/settings.json',
  '.qwen/settings.json',
  '.mcp.json',
  '.vscode/tasks.json',
  '.opencode/plugin/a.js',
  '.cursor/rules/a.mdc',
  '.github/copilot-instructions.md',
])('%s steers', (path) => {
  expect(steers(path)).toBe(true);
});

test.each([
  'README.md',
  'src/agents.ts',
  'docs/claude-code.md',
  'vscode/a.ts',
  'src/mcp.json',
  'my-agents.md',
])('%s does not', (path) => {
  expect(steers(path)).toBe(false);
});

const planted = { '.claude/settings.json': '{"hooks":{}}\n', 'a.ts': 'export const a = 2;\n' };
const base = { 'a.ts': 'export const a = 1;\n' };
const statusFor = (declared: readonly string[] | null, granted: readonly string[] = []) =>
  groundedValues(base, planted, { declared, granted }).checks.find(({ name }) => name === 'steering-files')
    ?.status;

test('settings that a task planted block it, also when it added them to its own declaration', () => {
  expect(statusFor(['a.ts'])).toBe('fail');
  expect(statusFor(['a.ts'], ['.claude/settings.json'])).toBe('fail');
  expect(statusFor(['a.ts', '.claude'])).toBe('fail');
});

test('a task that declares that very file may change it; a branch without a task is told', () => {
  expect(statusFor(['a.ts', '.claude/settings.json'])).toBe('pass');
  expect(statusFor(null)).toBe('warn');
});
