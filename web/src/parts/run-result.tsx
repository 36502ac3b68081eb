import { useEffect, useState } from 'react';
import { type ApiError, api, type FinalReport, type RunView } from '../api.ts';
import { follow, pathTo } from '../route.ts';
import { Badge, Card, Copy, Problem } from './basics.tsx';

/** The result of a run: what landed, what did not and why, the proof, and the next command. */
export function RunResult({ view }: { view: RunView }) {
  const { run, seq } = view;
  const [report, setReport] = useState<FinalReport | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the log has grown
  useEffect(() => {
    let isOver = false;
    api.report(run).then(
      (found) => {
        if (!isOver) setReport(found);
      },
      (problem) => {
        if (!isOver) setError(problem);
      },
    );
    return () => {
      isOver = true;
    };
  }, [run, seq]);
  if (error) return <Problem error={error} />;
  if (!report) return <p className="soft">Reading…</p>;
  return (
    <>
      <Landing view={view} report={report} />
      {report.notLanded.length > 0 && (
        <Card title={`Not landed${isOver(view) ? '' : ' yet'} (${report.notLanded.length})`}>
          <div className="scroll">
            <table className="list">
              <tbody>
                {report.notLanded.map(({ task, status, reason }) => (
                  <tr key={task}>
                    <td>
                      <Badge status={status} />
                    </td>
                    <td>
                      <a {...follow(pathTo.task(run, task))}>{task}</a>
                      <div className="soft small">{reason}</div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
      {report.proof.length > 0 && (
        <Card title="Proof on the exact commits">
          <div className="scroll">
            <table className="list">
              <tbody>
                {report.proof.map(({ name, status, detail }) => (
                  <tr key={name}>
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
        </Card>
      )}
      {report.findings.length > 0 && (
        <Card title="Found at the seams while the crew worked">
          <div className="scroll">
            <table className="list">
              <tbody>
                {report.findings.map(({ id, message, owner, isFixed, attempts }) => (
                  <tr key={id}>
                    <td>
                      <Badge status={isFixed ? 'pass' : 'blocking'}>{isFixed ? 'fixed' : 'open'}</Badge>
                    </td>
                    <td>
                      {message}
                      <div className="soft small">
                        {owner} moved, {attempts} {attempts === 1 ? 'attempt' : 'attempts'}
                      </div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
      {report.shown.length > 0 && (
        <Card title="Important, and kept nothing out">
          <ul className="body">
            {report.shown.map(({ id, rule, message }) => (
              <li key={id}>
                {rule}: {message}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {report.degraded.length > 0 && (
        <Card title="Not looked at, or skipped">
          <ul className="body">
            {report.degraded.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </Card>
      )}
      {report.next.length > 0 && (
        <Card title="Next">
          <div className="body commands">
            {report.next.map((command) => (
              <div key={command} className="row">
                <code className="grow">{command}</code>
                <Copy text={command} />
              </div>
            ))}
          </div>
        </Card>
      )}
    </>
  );
}

function isOver({ status }: RunView): boolean {
  return ['done', 'failed', 'cancelled'].includes(status);
}

function Landing({ view, report }: { view: RunView; report: FinalReport }) {
  const { landed, claims } = report;
  return (
    <Card
      title={landed ? `Landed on ${landed.ref}` : 'Integration'}
      aside={
        <span className="soft small">
          {claims.proven} of {claims.all} claims proven
        </span>
      }
    >
      <div className="body">
        {landed ? (
          <>
            <p className="mono">
              {landed.before.slice(0, 12)} → {landed.after.slice(0, 12)}
            </p>
            <p className="soft small">
              Tasks: {landed.tasks.join(', ')}. Receipt{' '}
              <span className="mono">{landed.receipt.slice(0, 16)}</span>
            </p>
          </>
        ) : (
          <p className="mono">
            {view.integration.branch} at {view.integration.commit.slice(0, 12)}
          </p>
        )}
        {view.reason !== '' && <p>{view.reason}</p>}
      </div>
    </Card>
  );
}
