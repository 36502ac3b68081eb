import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { AgentDoors, AgentRequest, HandoffAnswer } from '#agents/driver.ts';
import { exampleHandoff } from '#schema/handoff.ts';
import { type Bench, openBench, task } from '#test/support/engine-bench.ts';
import { makeRepo } from '#test/support/engine-repo.ts';

const model = 'class User:\n    id: int\n    name: str\n';
const reader = (field: string) =>
  `from models.user import User\n\n\ndef show(user: User) -> str:\n    return user.${field}\n`;

const testOf = (module: string, name: string) =>
  `from ${module} import ${name}\n\n\ndef test_it() -> None:\n    assert ${name} is not None\n`;

/** The reader is in its second attempt when the model is accepted, and its first commit does not fit the model. */
async function play(hasFollowed: boolean) {
  const repo = makeRepo({ 'models/__init__.py': '', 'views/__init__.py': '' });
  const answers: HandoffAnswer[] = [];
  const handIn = ({ run, task: id, attempt, role }: AgentRequest, doors: AgentDoors, files: string[]) => {
    const handoff = { ...exampleHandoff(run, id, attempt, role), decisions: [], assumptions: [], files };
    const answer = doors.submit(handoff);
    answers.push(answer);
    return answer;
  };
  const bench: Bench = await openBench(
    repo,
    { attempts: [] },
    {
      driver: () => ({
        name: 'scripted',
        variables: [],
        async play(request, doors) {
          const write = (path: string, text: string) => writeFileSync(join(request.cwd, path), text);
          const until = async (type: string, step: string, attempt?: number) => {
            const events = () => [...bench.workshop.engine.read(request.run)];
            const isThere = () =>
              events().some(
                (event) =>
                  event.type === type && event.step === step && (attempt ?? event.attempt) === event.attempt,
              );
            while (!isThere()) await wait(20, undefined, { signal: request.signal });
          };
          if (request.task === 'model') {
            await until('attempt.prompted', 'reader', 2);
            write('models/user.py', model);
            write('models/test_user.py', testOf('models.user', 'User'));
            handIn(request, doors, ['models/user.py', 'models/test_user.py']);
            return { outcome: 'ok', reason: '' };
          }
          write('views/show.py', reader('display_name'));
          // Without a test it gets a second attempt.
          if (request.attempt === 1) {
            handIn(request, doors, ['views/show.py']);
            return { outcome: 'ok', reason: '' };
          }
          write('views/test_show.py', testOf('views.show', 'show'));
          const files = ['views/show.py', 'views/test_show.py'];
          await until('step.accepted', 'model');
          const answer = handIn(request, doors, files);
          if (!answer.accepted && hasFollowed) write('views/show.py', reader('name'));
          if (!answer.accepted) handIn(request, doors, files);
          return { outcome: 'ok', reason: '' };
        },
      }),
    },
  );
  const run = bench.start({
    tasks: [task('model', { files: ['models/'] }), task('reader', { files: ['views/'] })],
  });
  const state = await bench.drive(run, { stop: AbortSignal.timeout(60_000) });
  const events = [...bench.workshop.engine.read(run)];
  bench.close();
  return { state, events, answers };
}

test('a clash with work in flight is reported in the next turn of the session, before the attempt is finished', async () => {
  const { state, events, answers } = await play(true);
  const told = answers.find((answer) => !answer.accepted && answer.isAboutWork);
  expect(told).toMatchObject({ text: expect.stringMatching(/models\/user\.py:\d+ .*views\/show\.py:\d+/) });
  expect(events.filter(({ type }) => type === 'attempt.told')).toMatchObject([
    { step: 'reader', attempt: 2 },
  ]);
  expect(state.steps.get('reader')?.told).toEqual([]);
  expect(
    state.steps
      .get('reader')
      ?.attempts.at(-1)
      ?.findings.map(({ fingerprint }) => fingerprint),
  ).not.toContain(expect.stringContaining('clash:'));
});

test('an agent that gets the report and changes nothing still hands in; the check finds it again', async () => {
  const { state, events } = await play(false);
  expect(events.filter(({ type }) => type === 'attempt.told')).toHaveLength(1);
  const checks = state.steps.get('reader')?.checks ?? [];
  expect(checks.some(({ clashes }) => clashes.length > 0)).toBe(true);
  expect(state.steps.get('reader')?.attempts[1]?.played?.handoff).not.toBeNull();
});
