import { type ReactNode, useState } from 'react';
import { Card, Empty, wordOf } from './basics.tsx';

interface ListingProps<T> {
  /** Plural noun for the rows: 'runs'. */
  readonly noun: string;
  readonly title: string;
  readonly rows: readonly T[];
  /** The searchable text of a row. */
  textOf(row: T): string;
  statusOf(row: T): string;
  /** Label of the choice → comparison; the first one is the default. */
  readonly sorts: Readonly<Record<string, (a: T, b: T) => number>>;
  readonly groups: Readonly<Record<string, (row: T) => string>>;
  /** Number of rows shown at first. */
  readonly most: number;
  readonly empty: ReactNode;
  line(row: T): ReactNode;
  /** Below the rows. */
  readonly children?: ReactNode;
}

/** A list that the page searches, filters, sorts and groups. */
export function Listing<T>(props: ListingProps<T>) {
  const { noun, rows } = props;
  const [search, setSearch] = useState('');
  const [status, setStatus] = useState('');
  const [sort, setSort] = useState(Object.keys(props.sorts)[0] ?? '');
  const [group, setGroup] = useState('');
  const [shown, setShown] = useState(props.most);
  const wanted = search.toLowerCase();
  const matching = rows
    .filter((row) => status === '' || props.statusOf(row) === status)
    .filter((row) => wanted === '' || props.textOf(row).toLowerCase().includes(wanted))
    .toSorted(props.sorts[sort]);
  const groupOf = props.groups[group];
  const groups = groupOf ? [...Map.groupBy(matching, groupOf)] : ([['', matching]] as const);
  const choice = (
    label: string,
    chosen: string,
    choose: (value: string) => void,
    none: string,
    all: string[],
  ) => (
    <select aria-label={`${label} ${noun}`} value={chosen} onChange={({ target }) => choose(target.value)}>
      {none !== '' && <option value="">{none}</option>}
      {all.map((each) => (
        <option key={each} value={each}>
          {wordOf(each)}
        </option>
      ))}
    </select>
  );
  return (
    <Card
      title={`${props.title}${rows.length > 0 ? ` (${rows.length})` : ''}`}
      aside={
        rows.length > 0 && (
          <div className="row">
            <input
              type="search"
              placeholder={`Search ${noun}`}
              aria-label={`Search ${noun}`}
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            {choice('Status of', status, setStatus, 'any status', [...new Set(rows.map(props.statusOf))])}
            {choice('Sort', sort, setSort, '', Object.keys(props.sorts))}
            {choice('Group', group, setGroup, 'no groups', Object.keys(props.groups))}
          </div>
        )
      }
    >
      {rows.length === 0 && props.empty}
      {rows.length > 0 && matching.length === 0 && <Empty>None of the {noun} matches.</Empty>}
      {groups.map(([name, some]) => (
        <div key={name} className="scroll">
          {name !== '' && (
            <h3 className="group">
              {name} ({some.length})
            </h3>
          )}
          <table className="list">
            <tbody>{some.slice(0, shown).map(props.line)}</tbody>
          </table>
        </div>
      ))}
      {props.children}
      {matching.length > shown && (
        <div className="empty">
          <button type="button" className="btn" onClick={() => setShown(shown + 400)}>
            Show more ({matching.length - shown})
          </button>
        </div>
      )}
    </Card>
  );
}
