import type { CheckView } from '../api.ts';
import { Card } from './basics.tsx';
import { pairKey, worse } from './pairs.ts';

/** Branches × branches, coloured by the worst finding between the two. */
export function Matrix(props: {
  report: CheckView['report'];
  chosen: string | null;
  choose(pair: string): void;
}) {
  const cells = new Map<string, { worst: string; count: number }>();
  for (const finding of props.report.findings)
    for (const [at, a] of finding.branches.entries())
      for (const b of finding.branches.slice(at + 1)) {
        const key = pairKey(a, b);
        const known = cells.get(key);
        cells.set(key, { worst: worse(known?.worst, finding.severity), count: (known?.count ?? 0) + 1 });
      }
  const named = new Set(props.report.findings.flatMap(({ branches }) => branches));
  const checked = props.report.branches.map(({ ref }) => ref);
  // Of many branches only those are shown that have something to do with a finding.
  const refs = [...new Set([...checked, ...named])].filter((ref) => checked.length <= 24 || named.has(ref));
  return (
    <Card>
      <div className="body scroll">
        <table className="matrix">
          <thead>
            <tr>
              <td />
              {refs.map((ref) => (
                <th key={ref} scope="col">
                  <span title={ref}>{ref}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {refs.map((row, y) => (
              <tr key={row}>
                <th scope="row" title={row}>
                  {row}
                </th>
                {refs.map((column, x) => {
                  const key = pairKey(row, column);
                  const cell = cells.get(key);
                  if (x >= y) return <td key={column} className={x === y ? 'self' : 'mirror'} />;
                  return (
                    <td key={column}>
                      {cell ? (
                        <button
                          type="button"
                          className={cell.worst}
                          aria-pressed={props.chosen === key}
                          aria-label={`${row} and ${column}: ${cell.count} findings, worst ${cell.worst}`}
                          onClick={() => props.choose(key)}
                        >
                          {cell.count}
                        </button>
                      ) : (
                        <span className="fits" title={`${row} and ${column} fit`} />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
        {refs.length < checked.length && (
          <p className="soft small">
            {checked.length - refs.length} branches without a finding are not shown.
          </p>
        )}
      </div>
    </Card>
  );
}
