import type { RunsReport } from '#schema/run.ts';

export function renderRuns({ runs }: RunsReport): string {
  if (runs.length === 0) return 'No runs yet. Start one: joinery run --plan plan.json';
  return runs
    .map(({ run: id, status, createdAt, accepted, tasks, questions, holder, damaged }) => {
      const notes = [
        ...(questions > 0 ? [`${questions} ${questions === 1 ? 'question' : 'questions'}`] : []),
        ...(damaged ? [`its log is damaged; remove it: joinery prune ${id} --force`] : []),
        ...(holder ? [`driven by ${holder}`] : []),
        ...(status === 'running' && !holder ? [`joinery resume ${id}`] : []),
      ];
      // As `status` says it: the log of a run that nobody drives still says running.
      const shown = status === 'running' && !holder ? 'interrupted' : status;
      return `${id}  ${shown.padEnd(14)} ${createdAt.slice(0, 16)}  ${accepted}/${tasks}  ${notes.join(', ')}`.trimEnd();
    })
    .join('\n');
}
