import { follow, pathTo } from '../route.ts';
import { Card } from './basics.tsx';

/** Pointers for a first visit. */
export function Welcome({ run }: { run: string | null }) {
  const crew = (path: (run: string) => string, name: string) =>
    run === null ? name : <a {...follow(path(run))}>{name}</a>;
  return (
    <Card title="Welcome to a small shop that is being built">
      <div className="body">
        <p>
          A scripted crew works on it in real time: no model is asked, nothing leaves this machine, and all of
          it is gone when the command ends.
        </p>
        <ol className="tour">
          <li>
            {crew(pathTo.town, 'Town')}: who works on what, waits, or is stuck
            {run === null && ' (the crew is on its way)'}
          </li>
          <li>{crew(pathTo.run, 'Run')}: the plan as it fills, why each thing happens, what it costs</li>
          <li>
            <a {...follow('/seams')}>Seams</a>: two branches that git merges without a word and that do not
            fit
          </li>
          <li>Needs you: a gate below waits for your decision</li>
          <li>
            <kbd>Ctrl K</kbd> does all of it by keyboard
          </li>
        </ol>
      </div>
    </Card>
  );
}
