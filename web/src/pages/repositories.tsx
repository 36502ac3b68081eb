import type { RepositoryRow } from '../api.ts';
import { RepositoryTable } from '../parts/repositories.tsx';

/** The first page of a server that was started outside a repository. */
export function Repositories({ rows }: { rows: readonly RepositoryRow[] | null }) {
  return (
    <>
      <div className="head">
        <div className="grow">
          <h1>Repositories</h1>
          <div className="soft small">Joinery has worked in these. Choose one.</div>
        </div>
      </div>
      <RepositoryTable rows={rows ?? []} title={`Repositories (${rows?.length ?? 0})`} />
    </>
  );
}
