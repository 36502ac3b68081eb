import { useEffect, useState } from 'react';
import { Diff, Hunk, parseDiff } from 'react-diff-view';
import 'react-diff-view/style/index.css';
import { type ApiError, type AttemptRow, api, type DiffView, type TaskRow } from '../api.ts';
import { Card, Empty } from './basics.tsx';
import './diff-pane.css';

const filesAtOnce = 30;

/** What an attempt changed against its base, or since an earlier attempt. */
export default function DiffPane({
  run,
  task,
  attempt,
}: {
  run: string;
  task: TaskRow;
  attempt: AttemptRow | undefined;
}) {
  const [since, setSince] = useState<number | undefined>();
  const [loaded, setLoaded] = useState<DiffView | ApiError | null>(null);
  const [isSplit, setSplit] = useState(() => window.innerWidth > 1100);
  const [shown, setShown] = useState(filesAtOnce);
  const n = attempt?.n;
  const commit = attempt?.commit;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new commit of the same attempt is another diff
  useEffect(() => {
    if (n === undefined) return;
    let isOver = false;
    api.diff(run, task.id, n, since).then(
      (diff) => isOver || setLoaded(diff),
      (error: ApiError) => isOver || setLoaded(error),
    );
    return () => {
      isOver = true;
    };
  }, [run, task.id, n, since, commit]);
  if (n === undefined || loaded === null) return <Empty>No work yet.</Empty>;
  if (loaded instanceof Error) return <Empty>{loaded.message}</Empty>;
  const files = parseDiff(loaded.text);
  return (
    <>
      <div className="row attempts">
        <label className="row small">
          compare with
          <select
            value={since ?? ''}
            onChange={(event) => setSince(event.target.value === '' ? undefined : Number(event.target.value))}
          >
            <option value="">the base</option>
            {task.attempts
              .filter((each) => each.n < n && each.commit !== null)
              .map((each) => (
                <option key={each.n} value={each.n}>
                  attempt {each.n}
                </option>
              ))}
          </select>
        </label>
        <label className="row small">
          <input type="checkbox" checked={isSplit} onChange={(event) => setSplit(event.target.checked)} />
          side by side
        </label>
        <span className="soft small">
          {files.length} files{loaded.isCut ? ', too long to show whole' : ''}
        </span>
      </div>
      {files.length === 0 && <Empty>Nothing changed.</Empty>}
      {files.slice(0, shown).map((file) => (
        <Card key={`${file.oldPath} ${file.newPath}`} title={<span className="mono">{nameOf(file)}</span>}>
          <div className="scroll">
            <Diff viewType={isSplit ? 'split' : 'unified'} diffType={file.type} hunks={file.hunks}>
              {(hunks) => hunks.map((hunk) => <Hunk key={hunk.content} hunk={hunk} />)}
            </Diff>
          </div>
        </Card>
      ))}
      {files.length > shown && (
        <button type="button" className="btn" onClick={() => setShown(shown + filesAtOnce)}>
          Show more files ({files.length - shown})
        </button>
      )}
    </>
  );
}

function nameOf({ type, oldPath, newPath }: { type: string; oldPath: string; newPath: string }): string {
  if (type === 'delete') return `${oldPath} (deleted)`;
  return type === 'rename' ? `${oldPath} → ${newPath}` : newPath;
}
