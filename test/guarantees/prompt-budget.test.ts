import { expect, test } from 'vitest';
import { assemblePrompt } from '#agents/prompt/assemble-prompt.ts';
import type { Prompt } from '#agents/prompt/fit-sections.ts';
import { integratorPrompt } from '#app/runs/integrator-prompt.ts';
import { architectPrompt } from '#planning/architect/prompt.ts';
import type { SpecBundle } from '#planning/spec/spec.ts';
import { verifierPrompt } from '#planning/verify/prompts.ts';
import { exampleContract } from '#schema/contract.ts';
import { exampleHandoff } from '#schema/handoff.ts';
import { Plan, Task } from '#schema/plan.ts';

const budget = 200_000;
const diff = (n: number) =>
  Array.from({ length: 20_000 }, (_, line) => `+const value${n}_${line} = ${line};\n`).join('');
const ten = Array.from({ length: 10 }, (_, n) => n);
const spec: SpecBundle = {
  path: 'specs/a.md',
  kind: 'feature',
  text: '# A spec\n\nSPEC-TEXT\n',
  sha256: '0'.repeat(64),
  linked: ten.map((n) => ({ path: `specs/linked${n}.md`, kind: 'feature' as const, text: diff(n) })),
};
const task = Task.parse({ id: 'a', title: 'TASK-TITLE', description: 'TASK-TEXT', files: ['src/a.ts'] });
const contract = JSON.stringify(exampleContract.entities[0]?.name);

/** Whole sections, each unchanged, and never more than fits. */
function demandWhole({ text, included, dropped }: Prompt, parts: readonly string[]): void {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(budget);
  for (const part of parts) expect(text).toContain(part);
  expect(included.length).toBeGreaterThan(0);
  expect(dropped.length).toBeGreaterThan(0);
}

test('ten diffs of 20,000 lines: every prompt stays in its budget, with complete instructions and contract', () => {
  expect(Buffer.byteLength(diff(0))).toBeGreaterThan(budget);
  const developer = assemblePrompt(
    {
      run: 'r',
      role: 'developer',
      attempt: 2,
      task,
      goal: 'THE-GOAL',
      roleText: 'ROLE-TEXT\n',
      contract: exampleContract,
      concerns: [],
      rules: [],
      branch: 'joinery/r/a',
      gates: 'GATES-TEXT\n',
      findings: ten.map(diff),
      corrected: ten.map((n) => ({ assumed: diff(n), actual: 'else' })),
      context: ten.map(diff),
      dependencies: ten.map((n) => ({
        task: `d${n}`,
        handoff: { ...exampleHandoff('r', `d${n}`, 1, 'developer'), limitations: [diff(n)] },
      })),
      inputs: [],
      ambient: ten.map((n) => ({ id: `guide/${n}#text`, text: diff(n) })),
      maxBytes: budget,
    },
    null,
  );
  const fixed = ['ROLE-TEXT', '# How to work', 'THE-GOAL', 'GATES-TEXT', 'TASK-TEXT', 'src/a.ts', contract];
  demandWhole(developer, fixed);
  const architect = architectPrompt({
    role: 'ROLE-TEXT',
    spec,
    outline: diff(1),
    refused: { answer: diff(2), problems: ['PROBLEM-TEXT'] },
  });
  demandWhole(architect, ['ROLE-TEXT', 'SPEC-TEXT', 'PROBLEM-TEXT', 'Answer with one JSON object']);
  const plan = Plan.parse({ schema: 'joinery/plan@1', tasks: [task], contract: exampleContract });
  demandWhole(verifierPrompt('ROLE-TEXT', spec, plan), ['ROLE-TEXT', 'SPEC-TEXT', 'TASK-TEXT', contract]);
  const integrator = integratorPrompt('ROLE-TEXT', 'feat/a', {
    paths: ten.map((n) => `src/file${n}.ts`),
    messages: ['CONFLICT (content): Merge conflict in src/file0.ts'],
    diffs: ten.flatMap((n) => [
      { path: `src/file${n}.ts`, side: 'what was merged before', diff: diff(n) },
      { path: `src/file${n}.ts`, side: 'feat/a', diff: n === 9 ? 'SMALL-DIFF' : diff(n) },
    ]),
  });
  demandWhole(integrator, ['ROLE-TEXT', 'src/file9.ts', 'CONFLICT (content)', 'SMALL-DIFF']);
});
