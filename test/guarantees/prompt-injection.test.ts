import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkHere } from '#app/checks/check-here.ts';
import { checkWithAnswer, promptHere } from '#app/opinion/check-with-opinion.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { type Files, GitRepository } from '#test/support/git-repository.ts';
import { temporaryFolder } from '#test/support/joinery.ts';
import { type Injection, injections } from '#test/support/prompt-injections.ts';
import { sample } from '#test/support/sampling.ts';

const uses = { 'app/use.py': 'from app.api import get\n\nget(1)\n' };

function open() {
  const repository = new GitRepository();
  repository.commit({ 'app/__init__.py': '', 'app/api.py': 'def get(id):\n    return id\n' });
  repository.branch('a', { 'app/api.py': 'def fetch(id):\n    return id\n', 'app/other.py': 'other = 1\n' });
  const outside = temporaryFolder();
  const here: Surroundings = {
    cwd: repository.dir,
    env: {
      ...process.env,
      JOINERY_CACHE_DIR: join(outside, 'cache'),
      JOINERY_STATE_DIR: join(outside, 'state'),
    },
    terminal: { warn() {}, progress() {} },
    onInterrupt: () => () => {},
  };
  const branchB = (files: Files) => {
    repository.git('update-ref', '-d', 'refs/heads/b');
    repository.branch('b', { ...uses, ...files });
  };
  return { here, branchB, answerFile: join(outside, 'answer.txt') };
}

const material = { spec: undefined, contract: undefined, maxBytes: 400_000 };
const wishes = { names: ['main', 'a', 'b'], hasBase: false, against: undefined, flags: [] };

/** Our own text in a prompt: everything outside fences. */
function ownVoice(prompt: string): string[] {
  const own: string[] = [];
  let fence: string | null = null;
  for (const line of prompt.split('\n')) {
    const [run] = /^`{3,}/.exec(line) ?? [];
    if (fence === null) {
      if (run === undefined) own.push(line);
      else fence = run;
    } else if (run !== undefined && run.length >= fence.length && line === run) fence = null;
  }
  expect(fence).toBeNull();
  return own;
}

test('there are fifty of them, all different', () => {
  expect(injections).toHaveLength(50);
  expect(new Set(injections.map(({ files }) => JSON.stringify(files))).size).toBe(50);
});

/** Our own text is the same with and without these files, and no answer changes the findings of code. */
async function demandSteadiness(
  { here, branchB, answerFile }: ReturnType<typeof open>,
  plain: readonly string[],
  together: readonly Injection[],
): Promise<void> {
  const name = together.length === 1 ? together[0]?.name : 'all together';
  branchB(Object.assign({}, ...together.map(({ files }) => files)));
  const { report: code } = await checkHere(here, wishes);
  expect(code.status, name).toBe('fail');
  const { text } = await promptHere(here, wishes, material);
  for (const { words } of together) expect(text, name).toContain(words);
  expect(ownVoice(text), name).toEqual(plain);
  for (const answer of new Set(together.map((each) => each.answer))) {
    writeFileSync(answerFile, answer);
    const { report } = await checkWithAnswer(here, wishes, material, answerFile);
    const { opinion, findings, ...decided } = report;
    const { findings: found, ...before } = code;
    expect(decided, name).toEqual(before);
    expect(findings.slice(0, found.length), name).toEqual(found);
    for (const added of findings.slice(found.length)) {
      expect(added, name).toMatchObject({
        decidedBy: 'agent',
        confidence: 'possible',
        rule: 'opinion',
        judge: null,
        effect: 'shown',
      });
    }
    expect(opinion?.findings, name).toEqual(findings.slice(found.length).map(({ id }) => id));
  }
}

async function plainVoice({ here, branchB }: ReturnType<typeof open>): Promise<string[]> {
  branchB({ 'docs/plain.md': 'nothing\n' });
  return ownVoice((await promptHere(here, wishes, material)).text);
}

test('all fifty in one branch change neither the verdict nor the findings of code, whatever an obeying model says', async () => {
  const room = open();
  await demandSteadiness(room, await plainVoice(room), injections);
}, 120_000);

const { numRuns } = sample('prompt injections, each alone', { normal: 3, wide: 50, soak: 50 });

test(
  'neither does each alone',
  async () => {
    const room = open();
    const plain = await plainVoice(room);
    // Steps of 17 reach every demand and every carrier before they repeat.
    for (let n = 0; n < numRuns; n++) {
      const injection = injections[(n * 17) % injections.length];
      if (injection) await demandSteadiness(room, plain, [injection]);
    }
  },
  numRuns * 60_000,
);
