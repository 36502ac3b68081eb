import { api } from '../api.ts';
import { useLive } from '../live.ts';
import { Card, Empty, Problem } from '../parts/basics.tsx';
import { Seams } from './seams.tsx';

export function SeamsPage({ query }: { query: URLSearchParams }) {
  const { value, error } = useLive(
    async () => ({ view: await api.check() }),
    'check',
    (message) => typeof message === 'string',
  );
  if (error) return <Problem error={error} />;
  if (!value) return <p className="soft">Reading…</p>;
  if (!value.view)
    return (
      <>
        <div className="head">
          <h1>Seams</h1>
        </div>
        <Card>
          <Empty command="joinery check">
            Nothing was checked yet. A check finds where your branches do not fit, before anything is merged:
          </Empty>
        </Card>
      </>
    );
  const [chosen, branch] = [query.get('finding'), query.get('branch')];
  // A new check updates the content without moving the person to another place.
  return <Seams key={`${chosen} ${branch}`} view={value.view} chosenFinding={chosen} branch={branch} />;
}
