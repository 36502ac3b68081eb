import { useEffect, useState } from 'react';
import { api, type RepositoryRow } from '../api.ts';
import { follow, go } from '../route.ts';
import { Badge, Card, Time } from './basics.tsx';

/** Other repositories have no stream here, so they are polled. */
const everyMs = 5000;

/** All repositories that the server knows; null until they are loaded. */
export function useRepositories(): readonly RepositoryRow[] | null {
  const [rows, setRows] = useState<readonly RepositoryRow[] | null>(null);
  useEffect(() => {
    let isOver = false;
    let last = '';
    let timer: ReturnType<typeof setTimeout>;
    const read = async () => {
      const list = await api.repositories().catch(() => null);
      if (isOver) return;
      const text = JSON.stringify(list?.repositories ?? '');
      // Avoids a redraw while nothing changes.
      if (list && text !== last) setRows(list.repositories);
      last = text;
      timer = setTimeout(read, everyMs);
    };
    read();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
  return rows;
}

/** The repository's part of an address. */
export const addressKey = ({ key, isHere }: RepositoryRow) => (isHere ? null : key);

/** Selects the current repository. */
export function RepositoryChoice({
  rows,
  chosen,
}: {
  rows: readonly RepositoryRow[];
  chosen: string | null;
}) {
  if (rows.length < 2) return null;
  return (
    <select
      className="choice"
      aria-label="Repository"
      value={chosen ?? ''}
      onChange={({ target }) => {
        const row = rows.find(({ key }) => key === target.value);
        if (row) go('/', addressKey(row));
      }}
    >
      {chosen === null && <option value="">choose one</option>}
      {rows.map(({ key, name, waiting }) => (
        <option key={key} value={key}>
          {waiting > 0 ? `${name} (${waiting})` : name}
        </option>
      ))}
    </select>
  );
}

export function RepositoryTable({ rows, title }: { rows: readonly RepositoryRow[]; title: string }) {
  return (
    <Card title={title}>
      <div className="scroll">
        <table className="list">
          <tbody>
            {rows.map((row) => (
              <RepositoryLine key={row.key} row={row} />
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  );
}

function RepositoryLine({ row }: { row: RepositoryRow }) {
  const { name, path, problem, waiting, working, runs, check, at } = row;
  const status = problem === null ? (waiting > 0 ? 'warn' : working > 0 ? 'running' : 'skipped') : 'failed';
  const word =
    problem === null ? (waiting > 0 ? 'needs you' : working > 0 ? 'at work' : 'quiet') : 'unreadable';
  return (
    <tr>
      <td>
        <Badge status={status}>{word}</Badge>
      </td>
      <td>
        <a {...follow('/', addressKey(row))}>{name}</a>
        <div className="soft small mono">{problem ?? path}</div>
      </td>
      <td className="small">{waiting > 0 && `${waiting} to decide`}</td>
      <td className="small">
        {runs} {runs === 1 ? 'run' : 'runs'}
        {working > 0 && `, ${working} at work`}
      </td>
      <td className="small">
        {check && (check.status === 'pass' ? 'branches fit' : `${check.findings} findings`)}
      </td>
      <td className="num soft small">
        <Time at={at} />
      </td>
    </tr>
  );
}
