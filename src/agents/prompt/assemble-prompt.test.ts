import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { exampleHandoff } from '#schema/handoff.ts';
import { Task } from '#schema/plan.ts';
import { assemblePrompt, type PromptStep } from './assemble-prompt.ts';

const step: PromptStep = {
  roleText: 'You are a developer.\n',
  concerns: ['Log everything'],
  run: 'r',
  role: 'developer',
  attempt: 2,
  task: Task.parse({
    id: 'a',
    title: 'Title',
    description: 'Describe $(this) `verbatim`',
    files: ['src/a.ts'],
    acceptance: [{ text: 'works', verifyBy: 'test', arg: 'a.test.ts' }],
    rationale: 'because',
  }),
  contract: { entities: [{ name: 'User' }] },
  branch: 'joinery/r/a',
  gates: '',
  findings: ['it did not compile'],
  context: ['use the new client'],
  dependencies: [{ task: 'd', handoff: exampleHandoff('r', 'd', 1, 'developer') }],
  maxBytes: 100_000,
};

describe('a prompt', () => {
  test('says everything there is to say, and the same for the same step', () => {
    const { text, included, dropped, sha256 } = assemblePrompt(step, 'full');
    for (const part of [
      'Describe $(this) `verbatim`',
      'works',
      'src/a.ts',
      'User',
      'it did not compile',
      'use the new client',
      'because',
      'what was decided',
    ]) {
      expect(text).toContain(part);
    }
    expect(included).toContain('handoff/d#summary');
    expect(dropped).toEqual([]);
    expect(sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(assemblePrompt(step, 'full')).toEqual(assemblePrompt(step, 'full'));
  });

  test('leaves out whole sections when it grows too long, never the task or the contract', () => {
    const { text, included, dropped } = assemblePrompt({ ...step, maxBytes: 10 }, 'full');
    expect(included).toEqual([
      'joinery#role',
      'joinery#instructions',
      'plan#task',
      'plan#acceptance',
      'plan#files',
      'plan#contract',
      'plan#concerns',
    ]);
    expect(dropped).toEqual(['review#findings', 'review#context', 'plan#rationale', 'handoff/d#summary']);
    expect(text).toContain('User');
  });

  test('counts bytes, not characters', () => {
    const wide = { ...step, context: ['é'.repeat(500)] };
    const room = Buffer.byteLength(assemblePrompt({ ...step, context: [] }, 'task-only').text) + 600;
    expect(assemblePrompt({ ...wide, maxBytes: room }, 'task-only').dropped).toEqual(['review#context']);
  });

  test('tells less in the narrower modes', () => {
    expect(assemblePrompt(step, 'task-only').text).not.toContain('decided: what was decided');
    expect(assemblePrompt(step, 'blind').text).not.toContain('it did not compile');
  });
});
