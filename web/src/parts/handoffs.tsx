import { useEffect, useState } from 'react';
import { type ApiError, type AuditReport, api } from '../api.ts';
import { Badge, Card, Empty, Problem } from './basics.tsx';
import { Flow } from './flow.tsx';

const statusTones: Readonly<Record<string, string>> = {
  Healthy: 'pass',
  Normal: 'pass',
  Suspicious: 'warn',
  Theater: 'fail',
};

/** Who handed what to whom, and whether the addressee used it. */
export function Handoffs({ run, seq }: { run: string; seq: number }) {
  const [audit, setAudit] = useState<AuditReport | null>(null);
  const [error, setError] = useState<ApiError | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the log has grown
  useEffect(() => {
    let isOver = false;
    api.handoffs(run).then(
      (found) => {
        if (!isOver) setAudit(found);
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
  if (!audit) return <p className="soft">Reading…</p>;
  const { score, status, edges, gaps, fabrications } = audit;
  return (
    <>
      <Card
        title="Handoffs"
        aside={
          <Badge status={statusTones[status] ?? 'skipped'}>
            {score === null ? 'Coordination Score n/a' : `Coordination Score ${score} %, ${status}`}
          </Badge>
        }
      >
        {edges.length === 0 ? (
          <Empty command={`joinery audit ${run}`}>No task has handed anything to another one yet.</Empty>
        ) : (
          <Flow
            nodes={[...new Set(edges.flatMap(({ from, to }) => [from, to]))].map((id) => ({
              id,
              width: 170,
              height: 40,
              content: (
                <span className="node mute">
                  <b>{id}</b>
                </span>
              ),
            }))}
            edges={[...Map.groupBy(edges, ({ from, to }) => `${from}\n${to}`).values()].map((all) => ({
              from: all[0]?.from ?? '',
              to: all[0]?.to ?? '',
              label: `${all.filter(({ isCited }) => isCited).length} of ${all.length} cited`,
              tone: all.some(({ isCited }) => isCited) ? 'good' : 'warn',
            }))}
          />
        )}
      </Card>
      {(gaps.length > 0 || fabrications.length > 0) && (
        <Card title="What went past its addressee">
          <div className="scroll">
            <table className="list">
              <tbody>
                {fabrications.map(({ agent, cited, kind }) => (
                  <tr key={`${agent} ${cited} ${kind}`}>
                    <td>
                      <Badge status="fail">cited, not there</Badge>
                    </td>
                    <td className="mono">{agent}</td>
                    <td className="mono">{cited}</td>
                  </tr>
                ))}
                {gaps.map(({ agent, output, addressedTo }) => (
                  <tr key={`${agent} ${output}`}>
                    <td>
                      <Badge status="warn">not used</Badge>
                    </td>
                    <td className="mono">{agent}</td>
                    <td>
                      <span className="mono">{output}</span>
                      <div className="soft small">for {addressedTo.join(', ')}</div>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
    </>
  );
}
