import type { CheckView, Finding } from '../api.ts';
import { Badge, Card, Copy } from './basics.tsx';

type Frame = CheckView['frames'][string][number];

export function FindingDetail({ finding, frames }: { finding: Finding; frames: readonly Frame[] }) {
  const { witness } = finding;
  return (
    <Card
      title={finding.message}
      aside={
        <span className="row">
          <Badge status={finding.severity} />
          <span className="badge">{finding.confidence}</span>
        </span>
      }
      className="detail"
    >
      <div className="body">
        <div className={frames.length > 1 ? 'cols' : ''}>
          {frames.map((frame) => (
            <CodeFrame key={`${frame.branch} ${frame.file} ${frame.line} ${frame.role}`} frame={frame} />
          ))}
        </div>
        {frames.length === 0 && (
          <ul className="mono small">
            {finding.sites.map((site) => (
              <li key={`${site.branch} ${site.file} ${site.line}`}>
                {site.role} {site.branch}: {site.file}:{site.line}
              </li>
            ))}
          </ul>
        )}
        <dl>
          <dt>Who moves</dt>
          <dd>
            {finding.owner === null ? 'undecided' : <code>{finding.owner}</code>}
            {finding.ownerReason !== '' && <span className="soft"> {finding.ownerReason}</span>}
          </dd>
          <dt>Move</dt>
          <dd>{finding.suggestion}</dd>
          <dt>Witness</dt>
          <dd>
            {witness.output !== '' && <pre className="witness">{witness.output}</pre>}
            <span className="row">
              <code>{witness.command}</code>
              <Copy text={witness.command} />
            </span>
          </dd>
          <dt>Rule</dt>
          <dd>
            <code>{finding.rule}</code> <span className="soft">joinery explain {finding.rule}</span>
          </dd>
        </dl>
      </div>
    </Card>
  );
}

function CodeFrame({ frame }: { frame: Frame }) {
  return (
    <figure className={`code ${frame.removed ? 'removed' : ''}`}>
      <header>
        <strong className="mono">{frame.branch}</strong>
        <span className="soft">
          {frame.removed ? 'removes' : frame.role === 'provider' ? 'provides' : 'uses'}
        </span>
        <span className="mono soft place">
          {frame.file}:{frame.line}
        </span>
      </header>
      <pre>
        {frame.lines.map((line, at) => {
          const n = frame.firstLine + at;
          return (
            <span key={n} className={`ln ${n === frame.line ? 'hit' : ''}`}>
              <b>{n}</b>
              {line}
            </span>
          );
        })}
      </pre>
    </figure>
  );
}
