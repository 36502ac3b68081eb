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
      <Card title="Seams">
        <Empty command="joinery check">Nothing was checked yet.</Empty>
      </Card>
    );
  const chosen = query.get('finding');
  return (
    <Seams
      key={`${value.view.at} ${chosen}`}
      view={value.view}
      chosenFinding={chosen}
      branch={query.get('branch')}
    />
  );
}
