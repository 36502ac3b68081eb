import { useState } from 'react';
import type { CheckView } from '../api.ts';
import { Card } from './basics.tsx';
import { pairKey, severities, withoutFinding, worse } from './pairs.ts';

/**
 * Branches × branches, coloured by the worst finding between the two. A branch is named once, where its row ends and its
 * column begins: the cells of a pair are left of one name and below the other.
 */
export function Matrix(props: {
  report: CheckView['report'];
  chosen: string | null;
  choose(pair: string): void;
}) {
  const [near, setNear] = useState<readonly [row: number, column: number] | null>(null);
  const cells = cellsOf(props.report);
  const named = new Set(props.report.findings.flatMap(({ branches }) => branches));
  const checked = props.report.branches.map(({ ref }) => ref);
  // With many branches, only those with a finding are shown.
  const base = [props.report.base.ref].filter((ref) => named.has(ref));
  const refs = [...new Set([...base, ...checked, ...named])].filter(
    (ref) => checked.length <= 24 || named.has(ref),
  );
  const quiet = (a: string, b: string) => withoutFinding(props.report, a, b);
  const hasUnmet = refs.some((a, at) => refs.slice(0, at).some((b) => quiet(a, b) === 'not compared'));
  const shown = severities.filter((severity) => [...cells.values()].some(({ worst }) => worst === severity));
  const isNear = (at: number) => near?.includes(at) ?? false;
  const pair = near ? pairKey(refs[near[0]] ?? '', refs[near[1]] ?? '') : props.chosen;
  return (
    <Card>
      <div className="body scroll stairs">
        <Peek report={props.report} pair={pair} />
        <table
          className={`matrix ${refs.length > 16 ? 'dense' : refs.length > 8 ? '' : 'roomy'}`}
          onPointerLeave={() => setNear(null)}
        >
          <tbody>
            {refs.map((row, y) => (
              <tr key={row}>
                {refs.slice(0, y).map((column, x) => {
                  const key = pairKey(row, column);
                  const cell = cells.get(key);
                  const looked = { onPointerEnter: () => setNear([y, x]), onFocus: () => setNear([y, x]) };
                  return (
                    <td key={column}>
                      {cell ? (
                        <button
                          type="button"
                          className={cell.worst}
                          aria-pressed={props.chosen === key}
                          aria-label={`${row} and ${column}: ${cell.count} findings, worst ${cell.worst}`}
                          onClick={() => props.choose(key)}
                          {...looked}
                        >
                          {cell.count}
                        </button>
                      ) : (
                        <Quiet between={[row, column]} how={quiet(row, column)} looked={looked} />
                      )}
                    </td>
                  );
                })}
                <th scope="row" colSpan={refs.length - y} className={isNear(y) ? 'near' : ''}>
                  <i className={worstOf(cells, row, refs) ?? 'fits'} />
                  {row}
                </th>
              </tr>
            ))}
          </tbody>
        </table>
        <p className="legend small soft">
          {[...shown, 'fits', ...(hasUnmet ? ['not compared'] : [])].map((word) => (
            <span key={word}>
              <i className={word === 'not compared' ? 'unmet' : word} /> {word}
            </span>
          ))}
          {refs.length < checked.length && (
            <span>{checked.length - refs.length} branches without a finding are not shown</span>
          )}
        </p>
      </div>
    </Card>
  );
}

/** Two branches without a finding between them. */
function Quiet(props: {
  between: readonly [string, string];
  how: 'fits' | 'not compared';
  looked: { onPointerEnter(): void; onFocus(): void };
}) {
  const [row, column] = props.between;
  return props.how === 'fits' ? (
    <span className="fits" title={`${row} and ${column} fit`} {...props.looked} />
  ) : (
    <span className="unmet" title={`${row} and ${column} were not compared`} {...props.looked} />
  );
}

/** Beside the matrix: the findings between the two branches under the pointer. */
function Peek({ report, pair }: { report: CheckView['report']; pair: string | null }) {
  if (pair === null)
    return <p className="peek soft small">Point at a square to see what is between two branches.</p>;
  const [a, b] = pair.split(' ');
  const between = report.findings.filter(
    ({ branches }) => branches.includes(a ?? '') && branches.includes(b ?? ''),
  );
  return (
    <div className="peek small">
      <b className="mono">
        {a} × {b}
      </b>
      {between.length === 0 && (
        <p className="soft">
          {withoutFinding(report, a ?? '', b ?? '') === 'fits'
            ? 'They fit.'
            : 'Not compared: one of them conflicts with the base.'}
        </p>
      )}
      {between.slice(0, 3).map(({ id, message }) => (
        <p key={id}>{message}</p>
      ))}
      {between.length > 3 && <p className="soft">and {between.length - 3} more</p>}
    </div>
  );
}

type Cells = ReadonlyMap<string, { readonly worst: string; readonly count: number }>;

function cellsOf({ findings }: CheckView['report']): Cells {
  const cells = new Map<string, { worst: string; count: number }>();
  for (const { branches, severity } of findings)
    for (const [at, a] of branches.entries())
      for (const b of branches.slice(at + 1)) {
        const key = pairKey(a, b);
        const known = cells.get(key);
        cells.set(key, { worst: worse(known?.worst, severity), count: (known?.count ?? 0) + 1 });
      }
  return cells;
}

function worstOf(cells: Cells, ref: string, refs: readonly string[]): string | null {
  const all = refs.flatMap((other) => cells.get(pairKey(ref, other))?.worst ?? []);
  return severities.find((severity) => all.includes(severity)) ?? null;
}
