import { useState } from 'react';
import { api, type RunView, type TaskRow } from '../api.ts';
import { useLive } from '../live.ts';
import { useAct } from '../parts/act.tsx';
import {
  Badge,
  Card,
  Elapsed,
  Empty,
  formatTokens,
  formatUsd,
  Meter,
  Problem,
  Tabs,
  Time,
  toneOf,
  useNarrow,
} from '../parts/basics.tsx';
import { Flow } from '../parts/flow.tsx';
import { Handoffs } from '../parts/handoffs.tsx';
import { isAbout } from '../parts/news.ts';
import { QuestionCard } from '../parts/question.tsx';
import { RunResult as Result } from '../parts/run-result.tsx';
import { Stations } from '../parts/stations.tsx';
import { Timeline } from '../parts/timeline.tsx';
import { Trace } from '../parts/trace.tsx';
import { follow, pathTo } from '../route.ts';

type Tab = 'graph' | 'timeline' | 'handoffs' | 'trace' | 'cost' | 'result';

export function Run({ run }: { run: string }) {
  const [tab, setTab] = useState<Tab>('graph');
  const { value: view, error } = useLive(() => api.run(run), run, isAbout(run), 250);
  if (error) return <Problem error={error} />;
  if (!view) return <p className="soft">Reading…</p>;
  const open = view.questions.filter(({ answer }) => answer === null);
  const isOver = ['done', 'failed', 'cancelled'].includes(view.status);
  return (
    <>
      <Head view={view} />
      {!isOver && open.map((question) => <QuestionCard key={question.id} run={run} question={question} />)}
      <Stations view={view} />
      <Tabs
        label="Views of the run"
        chosen={tab}
        choose={setTab}
        tabs={[
          ['graph', 'Plan'],
          ['timeline', 'Timeline'],
          ['handoffs', 'Handoffs'],
          ['trace', 'Why'],
          ['cost', 'Cost'],
          ['result', 'Result'],
        ]}
      />
      {tab === 'graph' && <PlanGraph view={view} />}
      {tab === 'timeline' && <Timeline view={view} />}
      {tab === 'handoffs' && <Handoffs run={run} seq={view.seq} />}
      {tab === 'trace' && <Trace run={run} seq={view.seq} />}
      {tab === 'cost' && <Cost view={view} />}
      {tab === 'result' && <Result view={view} />}
    </>
  );
}

function Head({ view }: { view: RunView }) {
  const act = useAct();
  const accepted = view.tasks.filter(({ status }) => status === 'accepted').length;
  const isOver = ['done', 'failed', 'cancelled'].includes(view.status);
  return (
    <div className="head">
      <div className="grow">
        <div className="crumbs">
          <a {...follow('/')}>Home</a> / <span className="mono">{view.run}</span>
        </div>
        <h1>{view.title}</h1>
        <div className="soft small row">
          <span>
            {accepted} of {view.tasks.length} tasks accepted
          </span>
          <span>
            on <span className="mono">{view.baseRef}</span>
          </span>
          <span>
            <Elapsed from={view.createdAt} to={isOver || view.holder === null ? view.at : null} />
          </span>
          <span>
            last event <Time at={view.at} />
          </span>
          {!isOver && (
            <span>{view.holder === null ? 'no process drives it' : `driven by ${view.holder}`}</span>
          )}
        </div>
      </div>
      <Badge status={view.isHalted ? 'awaiting_human' : view.status} />
      <strong className="num">{formatUsd(view.cost.usd)}</strong>
      <a className="btn" {...follow(pathTo.town(view.run))}>
        Town
      </a>
      {!isOver && view.holder === null && (
        <button
          type="button"
          className="btn primary"
          onClick={() => act('The run goes on', () => api.resume(view.run))}
        >
          Resume
        </button>
      )}
      {!isOver && (
        <button
          type="button"
          className="btn danger"
          onClick={() => {
            if (confirm(`Cancel run ${view.run}? Accepted work stays on its branches.`))
              act('Cancel was sent', () => api.cancel(view.run));
          }}
        >
          Cancel
        </button>
      )}
    </div>
  );
}

function PlanGraph({ view }: { view: RunView }) {
  const nodes = view.tasks.map((task) => ({
    id: task.id,
    width: 236,
    height: 82,
    content: <TaskNode run={view.run} task={task} />,
  }));
  const edges = view.tasks.flatMap((task) =>
    task.dependsOn.map((from) => ({
      from,
      to: task.id,
      isMoving: task.status === 'running',
      tone: task.status === 'accepted' ? 'good' : 'line-strong',
    })),
  );
  const isNarrow = useNarrow();
  const isOver = view.status === 'failed' || view.status === 'cancelled' || view.status === 'done';
  if (view.tasks.length === 0)
    return (
      <Card>
        <Empty>
          {isOver
            ? `There is no plan${view.reason === '' ? '' : `: ${view.reason}`}.`
            : 'The plan is being made. Its tasks appear here.'}
        </Empty>
      </Card>
    );
  if (isNarrow)
    return (
      <div className="stack">
        {view.tasks.map((task) => (
          <TaskNode key={task.id} run={view.run} task={task} />
        ))}
      </div>
    );
  return (
    <Card>
      <Flow nodes={nodes} edges={edges} />
    </Card>
  );
}

function TaskNode({ run, task }: { run: string; task: TaskRow }) {
  const attempt = task.attempts.at(-1);
  return (
    <a
      className={`node ${toneOf(task.status)}`}
      {...follow(pathTo.task(run, task.id))}
      title={task.reason || task.title}
    >
      <b>{task.title}</b>
      <span className="line">
        <Badge status={task.status} />
        {attempt && <span>#{attempt.n}</span>}
        {attempt && <Elapsed from={attempt.startedAt} to={attempt.endedAt} />}
        <Lights task={task} />
      </span>
      <span className="line doing">
        {task.doing ||
          (task.waitsFor.length > 0
            ? `waits for ${task.waitsFor.join(', ')}`
            : attempt && `${attempt.driver}${task.usd > 0 ? `, ${formatUsd(task.usd)}` : ''}`)}
      </span>
    </a>
  );
}

/** One light per gate and one for grounding. */
function Lights({ task }: { task: TaskRow }) {
  const attempt = task.attempts.at(-1);
  const all = [
    ...(attempt?.grounding ? [{ name: 'grounding', status: attempt.grounding.status }] : []),
    ...(attempt?.claims ?? []).map(({ gate, status }) => ({ name: gate, status })),
  ];
  if (all.length === 0) return null;
  return (
    <span
      className="lights"
      role="img"
      aria-label={all.map(({ name, status }) => `${name} ${status}`).join(', ')}
    >
      {all.map(({ name, status }) => (
        <i key={name} className={toneOf(status)} title={`${name}: ${status}`} />
      ))}
    </span>
  );
}

function Cost({ view }: { view: RunView }) {
  const act = useAct();
  const [usd, setUsd] = useState(view.budget.usd === null ? '' : String(view.budget.usd));
  const spent = view.budget.usd === null ? null : view.cost.usd / view.budget.usd;
  return (
    <Card title="Cost" aside={<strong>{formatUsd(view.cost.usd)}</strong>}>
      <div className="body row">
        <span className="soft">
          {formatTokens(view.cost.in)} tokens in ({formatTokens(view.cost.cached)} cached),{' '}
          {formatTokens(view.cost.out)} out
          {view.cost.unpriced > 0 && `, ${formatTokens(view.cost.unpriced)} without a known price`}
        </span>
        {spent !== null && (
          <Meter
            label={`${Math.round(spent * 100)} % of the budget`}
            parts={[{ share: spent, tone: spent > 0.8 ? 'bad' : 'good' }]}
          />
        )}
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            const value = Number(usd);
            act('Budget was sent', () =>
              api.budget(view.run, {
                usd: usd === '' || !(value > 0) ? null : value,
                tokens: view.budget.tokens,
              }),
            );
          }}
        >
          <label className="row small" htmlFor="budget">
            Budget in $
          </label>
          <input
            id="budget"
            inputMode="decimal"
            size={7}
            value={usd}
            placeholder="none"
            onChange={(event) => setUsd(event.target.value)}
          />
          <button type="submit" className="btn">
            Set
          </button>
        </form>
      </div>
      <div className="scroll">
        <table className="list">
          <thead>
            <tr>
              <th>Task</th>
              <th>Agent</th>
              <th>Model</th>
              <th className="num">Attempts</th>
              <th className="num">In</th>
              <th className="num">Out</th>
              <th className="num">Cost</th>
            </tr>
          </thead>
          <tbody>
            {view.tasks.map((task) => (
              <tr key={task.id}>
                <td>
                  <a {...follow(pathTo.task(view.run, task.id))}>{task.title}</a>
                </td>
                <td>{task.attempts.at(-1)?.driver ?? ''}</td>
                <td className="mono">{task.attempts.at(-1)?.model ?? ''}</td>
                <td className="num">{task.attempts.length}</td>
                <td className="num">
                  {formatTokens(task.attempts.reduce((sum, { usage }) => sum + usage.in, 0))}
                </td>
                <td className="num">
                  {formatTokens(task.attempts.reduce((sum, { usage }) => sum + usage.out, 0))}
                </td>
                <td className="num">{formatUsd(task.usd)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}
