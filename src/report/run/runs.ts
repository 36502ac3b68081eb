import type { RunsReport } from '#schema/run.ts';

export function renderRuns({ runs }: RunsReport): string {
  if (runs.length === 0) return 'No runs yet. Start one: joinery run --plan plan.json';
  return runs
    .map(({ run: id, status, createdAt, accepted, tasks, questions, holder, damaged }) => {
      const notes = [
        ...(questions > 0 ? [`${questions} questions`] : []),
        ...(damaged ? [`its log is damaged; remove it: joinery prune ${id} --force`] : []),
        ...(holder ? [`driven by ${holder}`] : []),
        ...(status === 'running' && !holder ? [`no process drives it: joinery resume ${id}`] : []),
      ];
      return `${id}  ${status.padEnd(14)} ${createdAt.slice(0, 16)}  ${accepted}/${tasks}  ${notes.join(', ')}`.trimEnd();
    })
    .join('\n');
}
