import { api, type TaskRow } from '../api.ts';
import type { Act, Ask } from './act.tsx';

/** The available actions of a task, with the same names on buttons and in the command bar. */
export function taskActions(
  run: string,
  { id, status, title }: Pick<TaskRow, 'id' | 'status' | 'title'>,
  act: Act,
  ask: Ask,
): { name: string; detail: string; isMain: boolean; run(): void }[] {
  if (status === 'failed' || status === 'escalated')
    return [
      {
        name: 'Retry',
        detail: 'another try, with what you add',
        isMain: true,
        run: () =>
          ask({
            title: `Try ${id} again`,
            hint: 'What should the next attempt know? It reaches the agent word for word.',
            action: 'Retry',
            send: (context) => act('Another try was asked for', () => api.retry(run, id, context)),
          }),
      },
    ];
  if (status === 'accepted' || status === 'skipped') return [];
  return [
    {
      name: 'Steer',
      detail: `a message for the next turn of the agent of “${title}”`,
      isMain: true,
      run: () =>
        ask({
          title: `Send a message to the agent of ${id}`,
          hint: 'It reads this in its next turn, before it hands in its work.',
          action: 'Send',
          isRequired: true,
          send: (text) => act('The agent reads it in its next turn', () => api.steer(run, id, text)),
        }),
    },
    {
      name: 'Stop',
      detail: 'end its agent; the other tasks go on',
      isMain: false,
      run: () =>
        ask({
          title: `Stop ${id}?`,
          hint: 'Why? It is recorded. What the agent had written is kept beside its branch.',
          action: 'Stop the task',
          isDanger: true,
          send: (reason) => act('The task is being stopped', () => api.stop(run, id, reason)),
        }),
    },
  ];
}
