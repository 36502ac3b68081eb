import type { CheckView, Finding } from '../api.ts';
import { Card, toneOf, useNarrow } from './basics.tsx';
import { Flow } from './flow.tsx';
import { worse } from './pairs.ts';

interface Seam {
  readonly from: string;
  readonly to: string;
  readonly findings: Finding[];
}

/** Provider → consumer: an arrow goes from the branch that provides something to the branch that uses it. */
export default function SeamGraph({
  report,
  chosen,
  choose,
}: {
  report: CheckView['report'];
  chosen: string | null;
  choose(id: string): void;
}) {
  const isNarrow = useNarrow();
  const seams = seamsOf(report.findings);
  if (isNarrow) return <SeamList seams={seams} chosen={chosen} choose={choose} />;
  const refs = [...new Set(report.findings.flatMap(({ branches }) => branches))];
  const nodes = refs.map((ref) => {
    const all = report.findings.filter(({ branches }) => branches.includes(ref));
    const provides = seams.filter(({ from }) => from === ref).flatMap(({ findings }) => findings).length;
    const relies = seams.filter(({ to }) => to === ref).flatMap(({ findings }) => findings).length;
    const [first] = all;
    return {
      id: ref,
      width: 220,
      height: 58,
      content: (
        <button
          type="button"
          className={`node ${toneOf(worstOf(all))} branch`}
          aria-pressed={all.some(({ id }) => id === chosen)}
          title={ref}
          onClick={() => first && choose(first.id)}
        >
          <b className="mono">{ref}</b>
          <span className="line">
            {[provides > 0 ? `changes ${provides}` : '', relies > 0 ? `relies on ${relies}` : '']
              .filter((part) => part !== '')
              .join(', ')}
          </span>
        </button>
      ),
    };
  });
  const edges = seams.map(({ from, to, findings }) => ({
    from,
    to,
    label: labelOf(findings),
    tone: toneOf(worstOf(findings)),
    weight: Math.min(4, 1.4 + Math.log2(findings.length) / 2),
    isMoving: findings.some(({ id }) => id === chosen),
    choose: () => findings[0] && choose(findings[0].id),
  }));
  return (
    <Card>
      <Flow nodes={nodes} edges={edges} />
    </Card>
  );
}

function SeamList(props: { seams: readonly Seam[]; chosen: string | null; choose(id: string): void }) {
  return (
    <div className="stack seam-list">
      {props.seams.map(({ from, to, findings }) => (
        <button
          key={`${from} ${to}`}
          type="button"
          className={`node ${toneOf(worstOf(findings))}`}
          aria-pressed={findings.some(({ id }) => id === props.chosen)}
          onClick={() => findings[0] && props.choose(findings[0].id)}
        >
          <b className="mono">{from}</b>
          <span className="line">changes {labelOf(findings)}, on which relies</span>
          <b className="mono">{to}</b>
        </button>
      ))}
    </div>
  );
}

/** Everything that one branch provides and another one relies on is one seam between the two. */
function seamsOf(findings: readonly Finding[]): Seam[] {
  const seams = new Map<string, Seam>();
  for (const finding of findings) {
    const provider = finding.sites.find(({ role }) => role === 'provider')?.branch;
    const consumers = finding.sites.filter(({ role }) => role === 'consumer').map(({ branch }) => branch);
    if (provider === undefined) continue;
    for (const to of new Set(consumers)) {
      if (to === provider) continue;
      const key = `${provider} ${to}`;
      const seam = seams.get(key) ?? { from: provider, to, findings: [] };
      seam.findings.push(finding);
      seams.set(key, seam);
    }
  }
  return [...seams.values()];
}

/** 'User.email', 'User.email and 11 more' */
function labelOf(findings: readonly Finding[]): string {
  const symbols = new Set(
    findings.flatMap(({ sites }) => sites.find(({ role }) => role === 'provider')?.symbol ?? []),
  );
  const [first = ''] = symbols;
  const name = first.slice(first.indexOf('#') + 1);
  return symbols.size > 1 ? `${name} and ${symbols.size - 1} more` : name;
}

function worstOf(findings: readonly Finding[]): string {
  return findings.reduce<string>((worst, { severity }) => worse(worst, severity), 'info');
}
