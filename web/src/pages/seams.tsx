import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import type { CheckView, Finding } from '../api.ts';
import { Badge, Card, Empty, Tabs, Time } from '../parts/basics.tsx';
import { FindingDetail } from '../parts/finding-detail.tsx';
import { Matrix } from '../parts/matrix.tsx';
import { pairKey } from '../parts/pairs.ts';
import '../parts/seams.css';

const SeamGraph = lazy(() => import('../parts/seam-graph.tsx'));

type Tab = 'matrix' | 'graph' | 'list';

interface SeamsProps {
  readonly view: CheckView;
  readonly chosenFinding: string | null;
  readonly branch: string | null;
}

/** Where branches do not fit: for the dashboard and, with the same code, for the page that a check writes. */
export function Seams({ view, chosenFinding, branch }: SeamsProps) {
  const { report } = view;
  const [tab, setTab] = useState<Tab>('matrix');
  const [pair, setPair] = useState<string | null>(null);
  const [id, setId] = useState<string | null>(chosenFinding);
  const [only, setOnly] = useState(branch ?? '');
  const details = useRef<HTMLDivElement>(null);
  /** Shows what was selected in a diagram in the list below it. */
  const show = (next: string | null, only = '') => {
    setId(next);
    setOnly(only);
    details.current?.scrollIntoView({ block: 'nearest' });
  };
  const matching = report.findings
    .filter((finding) => only === '' || finding.branches.includes(only))
    .filter((finding) => pair === null || pairsOf(finding).includes(pair));
  const chosen = report.findings.find((finding) => finding.id === id) ?? matching[0];
  const isGone = chosenFinding !== null && !report.findings.some((finding) => finding.id === chosenFinding);
  return (
    <>
      <div className="head">
        <div className="grow">
          <h1>Seams</h1>
          <div className="soft small row">
            <span>{view.repository}</span>
            <span>
              {report.branches.length} branches on <span className="mono">{report.base.ref}</span>
            </span>
            <span>
              checked <Time at={view.at} />
            </span>
          </div>
        </div>
        <Badge status={report.status}>
          {report.status === 'pass'
            ? 'They fit'
            : report.status === 'fail'
              ? 'They do not fit'
              : 'Inconclusive'}
        </Badge>
      </div>
      {isGone && (
        <p className="soft gone" role="status">
          The last check has no finding <code>{chosenFinding}</code>: it was fixed, or was about other
          branches.
        </p>
      )}
      <Landing view={view} choose={(ref) => show(null, ref)} />
      {report.findings.length === 0 ? (
        <Card>
          <Empty command="joinery check">No finding: what the check looked into fits together.</Empty>
        </Card>
      ) : (
        <>
          <Tabs
            label="Views of the seams"
            chosen={tab}
            choose={setTab}
            tabs={[
              ['matrix', 'Matrix'],
              ['graph', 'Who relies on whom'],
              ['list', `Findings (${report.findings.length})`],
            ]}
          />
          {tab === 'matrix' && (
            <Matrix
              report={report}
              chosen={pair}
              choose={(next) => {
                setPair(next === pair ? null : next);
                show(null);
              }}
            />
          )}
          {tab === 'graph' && (
            <Suspense fallback={<p className="soft">Drawing…</p>}>
              <SeamGraph report={report} chosen={chosen?.id ?? null} choose={(next) => show(next)} />
            </Suspense>
          )}
          <div className="split" ref={details}>
            <FindingList
              findings={matching}
              chosen={chosen?.id ?? null}
              choose={setId}
              branches={report.branches.map(({ ref }) => ref)}
              only={only}
              setOnly={setOnly}
              delta={report.delta}
            />
            {chosen && <FindingDetail finding={chosen} frames={view.frames[chosen.id] ?? []} />}
          </div>
        </>
      )}
      <Fixed view={view} />
      <Gaps view={view} />
    </>
  );
}

function pairsOf({ branches }: Finding): string[] {
  return branches.flatMap((a, at) => branches.slice(at + 1).map((b) => pairKey(a, b)));
}

/** Which branches can land together, in order, and which have to wait. */
function Landing({ view: { report }, choose }: { view: CheckView; choose(branch: string): void }) {
  const { landable, blocked } = report;
  if (landable.length === 0 && blocked.length === 0) return null;
  return (
    <div className="landing card">
      {landable.length > 0 && (
        <section>
          <h2>
            {landable.length} can land together <span className="soft small">in this order</span>
          </h2>
          <Chips>
            {landable.map((ref) => (
              <li key={ref} className="chip tone-good mono next">
                {ref}
              </li>
            ))}
          </Chips>
        </section>
      )}
      {blocked.length > 0 && (
        <section>
          <h2>
            {blocked.length} {blocked.length === 1 ? 'has' : 'have'} to wait{' '}
            <span className="soft small">for the findings on them</span>
          </h2>
          <Chips>
            {blocked.map(({ ref, by }) => (
              <li key={ref}>
                <button
                  type="button"
                  className="chip tone-bad mono"
                  title={`Show the findings of ${ref}`}
                  onClick={() => choose(ref)}
                >
                  {ref} <b>{by.length}</b>
                </button>
              </li>
            ))}
          </Chips>
        </section>
      )}
    </div>
  );
}

const mostChips = 6;

/** The first of many names; the others on request. */
function Chips({ children }: { children: readonly ReactNode[] }) {
  const [isOpen, setOpen] = useState(false);
  const hidden = isOpen ? 0 : Math.max(0, children.length - mostChips);
  return (
    <ol>
      {children.slice(0, children.length - hidden)}
      {hidden > 0 && (
        <li>
          <button type="button" className="chip" onClick={() => setOpen(true)}>
            and {hidden} more
          </button>
        </li>
      )}
    </ol>
  );
}

function FindingList(props: {
  findings: readonly Finding[];
  chosen: string | null;
  choose(id: string): void;
  branches: readonly string[];
  only: string;
  setOnly(branch: string): void;
  delta: CheckView['report']['delta'];
}) {
  const [shown, setShown] = useState(60);
  return (
    <Card
      title={`Findings (${props.findings.length})`}
      aside={
        <select
          aria-label="Branch"
          value={props.only}
          onChange={(event) => props.setOnly(event.target.value)}
        >
          <option value="">every branch</option>
          {props.branches.map((ref) => (
            <option key={ref}>{ref}</option>
          ))}
        </select>
      }
    >
      {props.findings.length === 0 && <Empty>No finding here.</Empty>}
      <ul className="findings">
        {props.findings.slice(0, shown).map((finding) => (
          <li key={finding.id}>
            <button
              type="button"
              aria-pressed={finding.id === props.chosen}
              onClick={() => props.choose(finding.id)}
            >
              <span className="row">
                <Badge status={finding.severity} />
                <code>{finding.rule}</code>
                <span className="soft small">{historyOf(finding.id, props.delta)}</span>
              </span>
              <span className="message">{finding.message}</span>
              <span className="soft small mono">{finding.branches.join(' × ')}</span>
            </button>
          </li>
        ))}
      </ul>
      {props.findings.length > shown && (
        <div className="empty">
          <button type="button" className="btn" onClick={() => setShown(shown + 200)}>
            Show more ({props.findings.length - shown})
          </button>
        </div>
      )}
    </Card>
  );
}

function historyOf(id: string, delta: CheckView['report']['delta']): string {
  if (!delta) return '';
  if (delta.regressed.includes(id)) return 'back again';
  return delta.new.includes(id) ? 'new' : 'remaining';
}

/** Findings of the previous check that are gone now. */
function Fixed({ view: { report } }: { view: CheckView }) {
  const rows = [
    ...(report.delta?.fixed ?? []).map((finding) => ({ finding, status: 'pass', word: 'fixed' })),
    ...(report.delta?.unverified ?? []).map((finding) => ({
      finding,
      status: 'warn',
      word: 'not seen again',
    })),
  ];
  if (rows.length === 0) return null;
  return (
    <Card title={`Gone since the check before (${rows.length})`}>
      <div className="scroll">
        <table className="list">
          <tbody>
            {rows.slice(0, 100).map(({ finding, status, word }) => (
              <tr key={finding.id}>
                <td>
                  <Badge status={status}>{word}</Badge>
                </td>
                <td>
                  {finding.message}
                  <div className="soft small mono">{finding.branches.join(' × ')}</div>
                </td>
                <td className="small mono">{finding.rule}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

/** What was not checked: a clean report says nothing about it. */
function Gaps({ view: { report } }: { view: CheckView }) {
  const lines = [
    ...report.inconclusive.map(({ check, file, reason }) => `inconclusive ${check ?? file ?? ''}: ${reason}`),
    ...report.degraded.map(({ check, reason }) => `degraded ${check}: ${reason}`),
    ...(report.coverage?.textOnly ?? []).map(
      ({ ending, files }) => `${files} ${ending} files compared as text only`,
    ),
    ...(report.coverage?.unparsed ?? []).map(
      (file) => `${file} does not parse, as before; it was compared as text only`,
    ),
    ...(report.coverage?.packages.length
      ? [`packages not read: ${report.coverage.packages.join(', ')}`]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <Card title="Not looked into">
      <ul className="body">
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Card>
  );
}
