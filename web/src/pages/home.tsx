import { useState } from 'react';
import {
  type ApiError,
  api,
  type BranchRow,
  type HomeView,
  type InboxItem,
  type RepositoryRow,
  type RunRow,
  type VisitorRow,
  type WorkflowRow,
} from '../api.ts';
import { useAct } from '../parts/act.tsx';
import { Badge, Card, Empty, formatUsd, Meter, Problem, Time, wordOf } from '../parts/basics.tsx';
import { Listing } from '../parts/listing.tsx';
import { useNotificationOffer } from '../parts/notify.ts';
import { QuestionCard } from '../parts/question.tsx';
import { addressKey, RepositoryTable } from '../parts/repositories.tsx';
import { Welcome } from '../parts/welcome.tsx';
import { follow, pathTo } from '../route.ts';

export function Home({
  home,
  error,
  others,
  isDemo,
  start,
}: {
  /** Already loaded by the frame around the page. */
  home: HomeView | null;
  error: ApiError | null;
  others: readonly RepositoryRow[];
  /** Opened by `joinery ui --demo`. */
  isDemo: boolean;
  start(): void;
}) {
  if (error) return <Problem error={error} />;
  if (!home) return <p className="soft">Reading…</p>;
  return (
    <>
      <div className="head">
        <div className="grow">
          <h1>{home.repository.name}</h1>
          <div className="soft small mono">{home.repository.path}</div>
        </div>
        <LastCheck home={home} />
        <button type="button" className="btn" onClick={start}>
          Start a run
        </button>
      </div>
      {isDemo && <Welcome run={home.runs[0]?.run ?? null} />}
      <Glance home={home} />
      <div className="pair">
        <div>
          <Inbox items={home.inbox} others={others} />
          <Runs runs={home.runs} damaged={home.damaged} />
        </div>
        <div>
          <Branches branches={home.branches} base={home.repository.base} />
          <Workflows rows={home.workflows} />
          {others.length > 0 && (
            <RepositoryTable rows={others} title={`Other repositories (${others.length})`} />
          )}
          <Visitors visitors={home.visitors} />
        </div>
      </div>
    </>
  );
}

/** The state of things in one line. */
function Glance({ home }: { home: HomeView }) {
  const working = home.runs.filter(({ holder, status }) => holder !== null && status === 'running');
  const here = home.visitors.filter(({ isGone }) => !isGone).length;
  const spent = home.runs.reduce((sum, { usd }) => sum + usd, 0);
  const broken = home.branches.filter(({ state }) => state === 'blocked').length;
  const facts: [string, string, string][] = [
    ['need you', String(home.inbox.length), home.inbox.length > 0 ? 'warn' : 'good'],
    ['runs at work', String(working.length), working.length > 0 ? 'busy' : 'mute'],
    ['open branches', String(home.branches.filter((branch) => !isOfRun(branch)).length), 'mute'],
    ['do not fit', String(broken), broken > 0 ? 'bad' : 'good'],
    ['visitors', String(here), here > 0 ? 'busy' : 'mute'],
    ['spent', formatUsd(spent), 'mute'],
  ];
  return (
    <dl className="glance">
      {facts.map(([name, value, tone]) => (
        <div key={name}>
          <dd className={tone}>{value}</dd>
          <dt>{name}</dt>
        </div>
      ))}
    </dl>
  );
}

function LastCheck({ home: { check } }: { home: HomeView }) {
  const act = useAct();
  const [isBusy, setBusy] = useState(false);
  const run = async () => {
    setBusy(true);
    await act('The check has ended', () => api.runCheck());
    setBusy(false);
  };
  return (
    <div className="row">
      {check && (
        <a {...follow('/seams')}>
          <Badge status={check.status}>
            {check.status === 'pass'
              ? 'branches fit'
              : `${check.findings} ${check.findings === 1 ? 'finding' : 'findings'}`}
          </Badge>
        </a>
      )}
      {check && (
        <span className="soft small">
          checked <Time at={check.at} />
        </span>
      )}
      <button type="button" className="btn primary" onClick={run} disabled={isBusy}>
        {isBusy ? 'Checking…' : 'Check branches'}
      </button>
    </div>
  );
}

function NotifyMe() {
  const { isOffered, allow } = useNotificationOffer();
  if (!isOffered) return null;
  return (
    <button
      type="button"
      className="btn quiet"
      onClick={allow}
      title="A notification of the browser when a question waits and this page is in the background"
    >
      Notify me
    </button>
  );
}

/** The first questions are answered here, the others on the pages of their runs. */
const mostAsked = 3;
/** Limit, so that runs and branches stay visible below them. */
const mostLines = 6;

function Inbox({ items, others }: { items: readonly InboxItem[]; others: readonly RepositoryRow[] }) {
  const [shown, setShown] = useState(mostLines);
  const questions = items.filter(({ question }) => question !== null).slice(0, mostAsked);
  const here = items.filter((item) => !questions.includes(item));
  const elsewhere = others.flatMap((row) => row.inbox.map((item) => ({ row, item })));
  const total = items.length + others.reduce((sum, { waiting }) => sum + waiting, 0);
  return (
    <section aria-label="Inbox">
      {questions.map(({ run, question }) =>
        question && run !== null ? (
          <QuestionCard key={`${run} ${question.id}`} run={run} question={question} />
        ) : null,
      )}
      {here.length + elsewhere.length > 0 && (
        <Card title={`Needs you (${total})`} aside={<NotifyMe />}>
          <div className="scroll">
            <table className="list">
              <tbody>
                {here.slice(0, shown).map((item) => (
                  <InboxLine key={keyOf(item)} item={item} />
                ))}
                {elsewhere.slice(0, Math.max(0, shown - here.length)).map(({ row, item }) => (
                  <InboxLine key={`${row.key} ${keyOf(item)}`} item={item} elsewhere={row} />
                ))}
              </tbody>
            </table>
          </div>
          {here.length + elsewhere.length > shown && (
            <div className="empty">
              <button type="button" className="btn" onClick={() => setShown(shown + 50)}>
                Show more ({here.length + elsewhere.length - shown})
              </button>
            </div>
          )}
        </Card>
      )}
    </section>
  );
}

const keyOf = ({ run, task, finding, question }: InboxItem) => `${run} ${task} ${finding} ${question?.id}`;

function InboxLine({
  item,
  elsewhere,
}: {
  item: InboxItem;
  /** The repository it waits in, if that is not the current one. */
  elsewhere?: RepositoryRow;
}) {
  return (
    <tr>
      <td>
        <Badge status={inboxTones[item.kind]}>{item.kind}</Badge>
      </td>
      <td>
        <a {...follow(pathOf(item), elsewhere && addressKey(elsewhere))}>{item.title}</a>
        <div className="soft small">{item.detail}</div>
      </td>
      <td className="small">{elsewhere && `in ${elsewhere.name}`}</td>
      <td className="num soft small">{item.at && <Time at={item.at} />}</td>
    </tr>
  );
}

function pathOf({ kind, run, task, finding }: InboxItem): string {
  if (finding !== null) return pathTo.finding(finding);
  if (kind === 'gate' && run !== null) return pathTo.workflow(run);
  return run === null ? '/' : task === null ? pathTo.run(run) : pathTo.task(run, task);
}

const inboxTones = { question: 'warn', gate: 'warn', task: 'failed', finding: 'blocking' } as const;

const newest = <T extends { createdAt: string }>(a: T, b: T) => b.createdAt.localeCompare(a.createdAt);

function Runs({ runs, damaged }: { runs: readonly RunRow[]; damaged: HomeView['damaged'] }) {
  return (
    <Listing
      noun="runs"
      title="Runs"
      rows={runs}
      textOf={({ run, title }) => `${run} ${title}`}
      statusOf={({ status }) => status}
      sorts={{
        newest,
        title: (a, b) => a.title.localeCompare(b.title),
        status: (a, b) => a.status.localeCompare(b.status),
        cost: (a, b) => b.usd - a.usd,
      }}
      groups={{ 'by status': ({ status }) => wordOf(status), 'by day': ({ createdAt }) => dayOf(createdAt) }}
      most={20}
      empty={
        <Empty command="joinery run specs/<name>.md">
          No runs yet. Start one from a spec (joinery ui --demo plays one without a model):
        </Empty>
      }
      line={(run) => <RunLine key={run.run} run={run} />}
    >
      {damaged.length > 0 && (
        <div className="scroll">
          <table className="list">
            <tbody>
              {damaged.map(({ run, reason }) => (
                <tr key={run}>
                  <td>
                    <Badge status="failed">damaged</Badge>
                  </td>
                  <td>
                    <span className="mono">{run}</span>
                    <div className="soft small">
                      {reason}. The other runs are whole; <code>joinery prune {run}</code> removes it.
                    </div>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Listing>
  );
}

function dayOf(at: string): string {
  return new Date(at).toLocaleDateString();
}

function RunLine({ run }: { run: RunRow }) {
  const share = (n: number) => (run.tasks === 0 ? 0 : n / run.tasks);
  return (
    <tr>
      <td>
        <Badge status={run.status} />
      </td>
      <td>
        <a {...follow(pathTo.run(run.run))}>{run.title}</a>
        <div className="soft small mono">{run.run}</div>
      </td>
      <td>
        <div className="soft small">
          {run.accepted} of {run.tasks} accepted{run.questions > 0 ? `, ${run.questions} to decide` : ''}
        </div>
        <Meter
          label={`${run.accepted} of ${run.tasks} tasks accepted`}
          parts={[
            { share: share(run.accepted), tone: 'good' },
            { share: share(run.failed), tone: 'bad' },
          ]}
        />
      </td>
      <td className="num">{formatUsd(run.usd)}</td>
      <td className="num soft small">
        <Time at={run.at} />
      </td>
    </tr>
  );
}

/** Runs that follow a workflow, step by step, with an agent of a person or of Joinery. */
function Workflows({ rows }: { rows: readonly WorkflowRow[] }) {
  return (
    <Listing
      noun="workflows"
      title="Workflows"
      rows={rows}
      textOf={({ run, goal, workflow, step }) => `${run} ${goal} ${workflow} ${step}`}
      statusOf={({ status }) => status}
      sorts={{
        newest,
        'last active': (a, b) => b.at.localeCompare(a.at),
        status: (a, b) => a.status.localeCompare(b.status),
        workflow: (a, b) => a.workflow.localeCompare(b.workflow),
      }}
      groups={{ 'by status': ({ status }) => wordOf(status), 'by workflow': ({ workflow }) => workflow }}
      most={10}
      empty={
        <Empty command="joinery mcp install --agent claude">
          Your agent can follow a workflow step by step. Give it the tools:
        </Empty>
      }
      line={(row) => (
        <tr key={row.run}>
          <td>
            <Badge status={row.status} />
          </td>
          <td>
            <a {...follow(pathTo.workflow(row.run))}>{row.goal}</a>
            <div className="soft small mono">{row.run}</div>
          </td>
          <td className="small">{row.workflow}</td>
          <td className="small mono">{row.step ?? ''}</td>
          <td className="num soft small">
            <Time at={row.at} />
          </td>
        </tr>
      )}
    />
  );
}

const isOfRun = ({ ref }: BranchRow) => ref.startsWith('joinery/');

function Branches({ branches: all, base }: { branches: readonly BranchRow[]; base: string | null }) {
  const [showsRuns, setShowsRuns] = useState(false);
  const ofRuns = all.filter(isOfRun).length;
  // A run checks its own branches, so those of people come first.
  const branches = showsRuns ? all : all.filter((branch) => !isOfRun(branch));
  return (
    <Card
      title={`Unmerged branches${branches.length > 0 ? ` (${branches.length})` : ''}`}
      aside={
        ofRuns > 0 && (
          <label className="row small">
            <input
              type="checkbox"
              checked={showsRuns}
              onChange={(event) => setShowsRuns(event.target.checked)}
            />
            with {ofRuns} of runs
          </label>
        )
      }
    >
      {branches.length === 0 ? (
        <Empty command="joinery check">Every branch is part of {base ?? 'the default branch'}.</Empty>
      ) : (
        <div className="scroll">
          <table className="list">
            <tbody>
              {branches.map((branch) => (
                <tr key={branch.ref}>
                  <td>
                    <Badge status={branch.state}>
                      {branch.state === 'fits' && branch.findings > 0 ? 'can land' : undefined}
                    </Badge>
                  </td>
                  <td>
                    <span className="mono">{branch.ref}</span>
                    <div className="soft small">{branch.subject}</div>
                  </td>
                  <td className="small">{branch.author}</td>
                  <td className="num small">{branch.ahead} ahead</td>
                  <td className="num small">
                    {branch.findings > 0 && (
                      <a {...follow(`/seams?branch=${encodeURIComponent(branch.ref)}`)}>
                        {branch.findings} {branch.findings === 1 ? 'finding' : 'findings'}
                      </a>
                    )}
                  </td>
                  <td className="num soft small">
                    <Time at={branch.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

/** Agents that report through hooks. */
function Visitors({ visitors }: { visitors: readonly VisitorRow[] }) {
  return (
    <Card title={`Visitors${visitors.length > 0 ? ` (${visitors.length})` : ''}`}>
      {visitors.length === 0 ? (
        <Empty command="joinery hooks install">Agents that Joinery did not start are seen here too.</Empty>
      ) : (
        <div className="scroll">
          <table className="list">
            <tbody>
              {visitors.slice(0, 50).map((visitor) => (
                <tr key={`${visitor.agent} ${visitor.session}`}>
                  <td>
                    <Badge status={visitor.isGone ? 'skipped' : 'running'}>{visitor.agent}</Badge>
                  </td>
                  <td>
                    {visitor.doing}
                    <div className="soft small mono">{visitor.folder}</div>
                  </td>
                  <td className="small">{visitor.files.slice(-3).join(', ')}</td>
                  <td className="num small">
                    {visitor.tools} {visitor.tools === 1 ? 'tool call' : 'tool calls'}
                  </td>
                  <td className="num soft small">
                    <Time at={visitor.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}
