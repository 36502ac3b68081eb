import { lazy, Suspense, useEffect, useState } from 'react';
import { type AttemptRow, api, type RunView, type TaskRow } from '../api.ts';
import { useLive } from '../live.ts';
import { useAct, useAsk } from '../parts/act.tsx';
import {
  Badge,
  Card,
  Elapsed,
  Empty,
  formatTokens,
  formatUsd,
  Problem,
  Tabs,
  Verbatim,
} from '../parts/basics.tsx';
import { lineOf } from '../parts/event-line.ts';
import { GateRows } from '../parts/gate-rows.tsx';
import { LogView } from '../parts/log-view.tsx';
import { isAbout } from '../parts/news.ts';
import { QuestionCard } from '../parts/question.tsx';
import { taskActions } from '../parts/task-actions.tsx';
import { useEvents } from '../parts/trace.tsx';
import { follow, pathTo } from '../route.ts';

const DiffPane = lazy(() => import('../parts/diff-pane.tsx'));

type Tab = 'log' | 'diff' | 'proof' | 'prompt';

export function Task({ run, task: id }: { run: string; task: string }) {
  const { value: view, error } = useLive(() => api.run(run), run, isAbout(run), 250);
  if (error) return <Problem error={error} />;
  if (!view) return <p className="soft">Reading…</p>;
  const task = view.tasks.find((each) => each.id === id);
  if (!task)
    return <Problem error={{ message: `run ${run} has no task ${id}`, hint: `joinery status ${run}` }} />;
  return <Shown view={view} task={task} />;
}

function Shown({ view, task }: { view: RunView; task: TaskRow }) {
  const [tab, setTab] = useState<Tab>('log');
  const [chosen, setChosen] = useState<number | null>(null);
  const attempt = task.attempts.find(({ n }) => n === chosen) ?? task.attempts.at(-1);
  const open = view.questions.filter(({ answer, about }) => answer === null && about === task.id);
  const events = useEvents(view.run, view.seq, task.id);
  const lines = events
    .filter((event) => chosen === null || event.attempt === undefined || event.attempt === chosen)
    .flatMap((event) => lineOf(event, 'all') ?? []);
  return (
    <>
      <div className="head">
        <div className="grow">
          <div className="crumbs">
            <a {...follow('/')}>Home</a> / <a {...follow(pathTo.run(view.run))}>{view.title}</a> /{' '}
            <span className="mono">{task.id}</span>
          </div>
          <h1>{task.title}</h1>
          <div className="soft small row">
            <span className="mono">{task.branch}</span>
            {task.dependsOn.length > 0 && <span>after {task.dependsOn.join(', ')}</span>}
            <span>{task.files.join(', ')}</span>
          </div>
        </div>
        <Badge status={task.status} />
        <strong>{formatUsd(task.usd)}</strong>
        <Steering run={view.run} task={task} />
      </div>
      {open.map((question) => (
        <QuestionCard key={question.id} run={view.run} question={question} />
      ))}
      {/* A question already contains it. */}
      {task.reason !== '' && open.length === 0 && (
        <Card>
          <div className="body">{task.reason}</div>
        </Card>
      )}
      {task.attempts.length > 1 && (
        <div className="segments">
          {[null, ...task.attempts.map(({ n }) => n)].map((n) => (
            <button key={n} type="button" aria-pressed={chosen === n} onClick={() => setChosen(n)}>
              {n === null ? 'All attempts' : `#${n}`}
            </button>
          ))}
        </div>
      )}
      <Tabs
        label="Views of the task"
        chosen={tab}
        choose={setTab}
        tabs={[
          ['log', 'Log'],
          ['diff', 'Diff'],
          ['proof', 'Gates and proof'],
          ['prompt', 'Prompt'],
        ]}
      />
      {tab === 'log' && <LogView lines={lines} label={`Log of ${task.id}`} />}
      {tab === 'diff' && (
        <Suspense fallback={<p className="soft">Reading…</p>}>
          <DiffPane run={view.run} task={task} attempt={attempt} />
        </Suspense>
      )}
      {tab === 'proof' && (attempt ? <Proof attempt={attempt} /> : <Empty>Nothing was tried yet.</Empty>)}
      {tab === 'prompt' &&
        (attempt ? <Prompt run={view.run} attempt={attempt} /> : <Empty>No prompt yet.</Empty>)}
    </>
  );
}

function Steering({ run, task }: { run: string; task: TaskRow }) {
  const act = useAct();
  const ask = useAsk();
  return taskActions(run, task, act, ask).map(({ name, detail, isMain, run: start }) => (
    <button
      key={name}
      type="button"
      className={`btn ${isMain ? 'primary' : 'danger'}`}
      title={detail}
      onClick={start}
    >
      {name}
    </button>
  ));
}

function Proof({ attempt }: { attempt: AttemptRow }) {
  const { claims, grounding, findings, incidents } = attempt;
  return (
    <>
      <Card
        title={`Attempt ${attempt.n}: ${attempt.driver}${attempt.model === null ? '' : ` with ${attempt.model}`}`}
        aside={
          <span className="soft small">
            <Elapsed from={attempt.startedAt} to={attempt.endedAt} />, {formatTokens(attempt.usage.tokens)}{' '}
            tokens
          </span>
        }
      >
        <GateRows claims={claims} />
      </Card>
      <Card title="Grounding: is the work real?">
        <Rows empty="Not judged yet." rows={grounding?.checks ?? []} />
      </Card>
      {(findings.length > 0 || incidents.length > 0) && (
        <Card title="Findings">
          <Rows
            empty=""
            rows={[
              ...findings.map(({ fingerprint, severity, message }) => ({
                name: fingerprint.slice(0, 8),
                status: severity,
                detail: message,
              })),
              ...incidents.map(({ kind, detail, isBlocking }) => ({
                name: kind,
                status: isBlocking ? 'blocking' : 'warn',
                detail,
              })),
            ]}
          />
        </Card>
      )}
    </>
  );
}

function Rows({
  rows,
  empty,
}: {
  rows: readonly { name: string; status: string; detail: string }[];
  empty: string;
}) {
  if (rows.length === 0) return <Empty>{empty}</Empty>;
  return (
    <div className="scroll">
      <table className="list">
        <tbody>
          {rows.map(({ name, status, detail }) => (
            <tr key={name + detail}>
              <td>
                <Badge status={status} />
              </td>
              <td className="mono">{name}</td>
              <td className="soft">{detail}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Prompt({ run, attempt }: { run: string; attempt: AttemptRow }) {
  const [text, setText] = useState('');
  const sha256 = attempt.prompt?.sha256;
  useEffect(() => {
    let isOver = false;
    setText('');
    if (sha256 !== undefined)
      api.artifact(run, sha256).then(
        (found) => {
          if (!isOver) setText(found);
        },
        () => {
          if (!isOver) setText('The prompt is no longer stored.');
        },
      );
    return () => {
      isOver = true;
    };
  }, [run, sha256]);
  if (!attempt.prompt) return <Empty>This attempt has no prompt yet.</Empty>;
  const { bytes, mode, included, dropped } = attempt.prompt;
  return (
    <Card
      title="What the agent was given"
      aside={<span className="soft small">{`${bytes} bytes, ${mode}`}</span>}
    >
      <div className="body">
        <div className="row small">
          {included.map((name) => (
            <span key={name} className="badge tone-good">
              {name}
            </span>
          ))}
          {dropped.map((name) => (
            <span key={name} className="badge tone-warn">
              left out: {name}
            </span>
          ))}
        </div>
        <Verbatim>{text}</Verbatim>
      </div>
    </Card>
  );
}
