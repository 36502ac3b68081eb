import type { RunView } from '../api.ts';
import { Badge } from './basics.tsx';

/** The stages of a run from the spec to the landed branch, with their status and quality. */
export function Stations({ view }: { view: RunView }) {
  const reached = view.phases.map(({ phase }) => phase);
  const accepted = view.tasks.filter(({ status }) => status === 'accepted').length;
  const worst = worstQuality(view);
  const tasks = {
    name: 'tasks',
    status:
      accepted === view.tasks.length && accepted > 0 ? 'pass' : view.tasks.length === 0 ? 'later' : 'running',
    detail: `${accepted} of ${view.tasks.length}${worst === null ? '' : `, handoffs ${worst}`}`,
  };
  const phase = (name: string) => {
    const last = view.phases.findLast((each) => each.phase === name);
    const status = last ? words[last.status] : 'later';
    return { name, status, detail: last?.detail ?? '' };
  };
  const all = [
    ...(reached.includes('plan') || view.tasks.length === 0
      ? [phase('plan'), ...(reached.includes('challenge') ? [phase('challenge')] : []), phase('verify')]
      : []),
    tasks,
    phase('integrate'),
    view.landed
      ? { name: 'land', status: 'pass', detail: `${view.landed.ref} at ${view.landed.after.slice(0, 10)}` }
      : phase('land'),
  ];
  return (
    <ol className="stations" aria-label="Stations of the run">
      {all.map(({ name, status, detail }) => (
        <li key={name} className={status}>
          <Badge status={status}>{name}</Badge>
          <span className="soft small" title={detail}>
            {detail}
          </span>
        </li>
      ))}
    </ol>
  );
}

const words = { begun: 'running', done: 'pass', failed: 'fail' } as const;
const qualities = ['fallback', 'partial', 'full'];

function worstQuality({ tasks }: RunView): string | null {
  const seen = tasks.flatMap(({ attempts }) => attempts.at(-1)?.quality ?? []);
  return qualities.find((quality) => seen.includes(quality)) ?? null;
}
