import type { CheckView } from '../api.ts';
import { Card, toneOf } from './basics.tsx';
import { Flow, type FlowEdge } from './flow.tsx';
import { worse } from './pairs.ts';

/** Who provides what another branch relies on. An arrow goes from the provider to the one that uses it. */
export default function SeamGraph({
  report,
  choose,
}: {
  report: CheckView['report'];
  choose(id: string): void;
}) {
  const worst = new Map<string, string>();
  const first = new Map<string, string>();
  const edges = new Map<string, FlowEdge>();
  for (const finding of report.findings) {
    for (const ref of finding.branches) {
      worst.set(ref, worse(worst.get(ref), finding.severity));
      if (!first.has(ref)) first.set(ref, finding.id);
    }
    const provider = finding.sites.find(({ role }) => role === 'provider');
    const consumers = new Set(
      finding.sites.filter(({ role }) => role === 'consumer').map(({ branch }) => branch),
    );
    if (!provider) continue;
    const label = provider.symbol.slice(provider.symbol.indexOf('#') + 1);
    for (const to of consumers)
      if (to !== provider.branch)
        edges.set(`${provider.branch} ${to} ${label}`, {
          from: provider.branch,
          to,
          label,
          tone: toneOf(finding.severity),
        });
  }
  const nodes = [...worst].map(([ref, severity]) => ({
    id: ref,
    width: 210,
    height: 46,
    content: (
      <button
        type="button"
        className={`node ${toneOf(severity)} branch`}
        onClick={() => choose(first.get(ref) ?? '')}
      >
        <b className="mono">{ref}</b>
      </button>
    ),
  }));
  return (
    <Card>
      <Flow nodes={nodes} edges={[...edges.values()]} />
    </Card>
  );
}
