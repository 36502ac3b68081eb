import { useState } from 'react';
import { type AttemptRow, api } from '../api.ts';
import { Badge, Copy, Empty, Verbatim } from './basics.tsx';

type Claim = AttemptRow['claims'][number];

/** The result of each gate with its evidence and, on demand, its output. */
export function GateRows({ claims }: { claims: readonly Claim[] }) {
  if (claims.length === 0)
    return <Empty command="joinery init">No gate has run for this attempt. Projects name theirs:</Empty>;
  return (
    <div className="gates">
      {claims.map((claim) => (
        <GateRow key={claim.gate} claim={claim} />
      ))}
    </div>
  );
}

function GateRow({ claim }: { claim: Claim }) {
  const { gate, command, status, reason, evidence, tree, exitCode, tests, newFailures, flaky } = claim;
  const [log, setLog] = useState<string | null>(null);
  const facts = [
    ...(exitCode === null ? [] : [`exit code ${exitCode}`]),
    ...(tests === null ? [] : [`${tests.passed} passed, ${tests.failed} failed, ${tests.skipped} skipped`]),
    ...(tree === null ? [] : [`tree ${tree.slice(0, 10)}`]),
    ...(evidence === null ? [] : [`evidence ${evidence}`]),
  ];
  const show = async () => {
    if (evidence === null) return;
    setLog('Reading…');
    setLog(await api.gateLog(evidence).catch((error: Error) => error.message));
  };
  return (
    <details onToggle={(event) => event.currentTarget.open && log === null && show()}>
      <summary>
        <Badge status={status} />
        <b className="mono">{gate}</b>
        <code className="grow">{command}</code>
        <span className="soft small">{reason}</span>
      </summary>
      <div className="stack">
        <p className="soft small">{facts.join(' · ')}</p>
        {[...newFailures.map((name) => `new failure: ${name}`), ...flaky.map((name) => `flaky: ${name}`)].map(
          (line) => (
            <p key={line} className="small mono">
              {line}
            </p>
          ),
        )}
        {evidence === null ? (
          <p className="soft small">It did not run: there is no log.</p>
        ) : (
          <Verbatim isSmall>{log ?? ''}</Verbatim>
        )}
        <div className="row">
          <Copy text={command} label="Copy the command" />
        </div>
      </div>
    </details>
  );
}
