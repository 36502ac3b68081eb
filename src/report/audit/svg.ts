import { visibleLine } from '#lib/visible.ts';
import { counted } from '#report/check/wording.ts';
import { escapeMarkup } from '#report/text/markup.ts';
import type { AuditReport } from '#schema/audit.ts';

const box = { width: 230, height: 46, gap: 34, left: 24, top: 84 };
/** With more agents the diagram would be unreadable. */
const mostAgents = 40;
const longestName = 26;

interface Link {
  readonly from: number;
  readonly to: number;
  readonly cited: number;
  readonly declared: number;
}

/** The handoff graph: agents from top to bottom, handoffs as arcs labelled `cited/declared`. */
export function renderAuditSvg(report: AuditReport): string {
  const shown = report.agents.slice(0, mostAgents);
  const links = linksOf(report, new Map(shown.map(({ agent }, index) => [agent, index])));
  const portOf = ports(links);
  const reach = Math.max(0, ...links.map((link) => bulge(link)));
  const width = Math.max(420, box.left + box.width + reach + 24);
  const hidden = report.agents.length - shown.length;
  const height = box.top + shown.length * (box.height + box.gap) + 44;
  const { score, status } = report;
  const title = `${report.subject.name}: ${score === null ? 'n/a' : `${score} % ${status}`}`;
  const figures = `${report.actualEdges}/${report.possibleEdges} edges, ${counted(report.gaps.length, 'gap')}, ${counted(report.fabrications.length, 'fabrication')}`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">`,
    style,
    `<rect class="page" width="${width}" height="${height}"/>`,
    markers,
    `<text class="title" x="${box.left}" y="36">${escaped(clip(title, 44))}</text>`,
    `<text class="dim" x="${box.left}" y="58">${escaped(figures)}</text>`,
    ...links.map((link) => arc(link, portOf(link))),
    ...links.map((link) => label(link, portOf(link))),
    ...shown.map((agent, index) => node(agent, index, report)),
    legend(height - 20, hidden),
    '</svg>',
    '',
  ].join('\n');
}

function linksOf(report: AuditReport, places: ReadonlyMap<string, number>): Link[] {
  const counts = new Map<string, { cited: number; declared: number }>();
  const add = (from: string, to: string, isCited: boolean) => {
    const count = counts.get(`${from}\n${to}`) ?? { cited: 0, declared: 0 };
    count.declared += 1;
    if (isCited) count.cited += 1;
    counts.set(`${from}\n${to}`, count);
  };
  for (const { from, to, isCited } of report.edges) add(from, to, isCited);
  for (const { agent, to } of report.missingOutputs) add(agent, to, false);
  return [...counts].flatMap(([key, count]) => {
    const [from = '', to = ''] = key.split('\n');
    const [a, b] = [places.get(from), places.get(to)];
    return a === undefined || b === undefined || a === b ? [] : [{ from: a, to: b, ...count }];
  });
}

/** The farther an arc reaches, the wider it bends; long arcs widen slowly. */
function bulge({ from, to }: Pick<Link, 'from' | 'to'>): number {
  return Math.round(26 + 78 * Math.sqrt(Math.abs(to - from)));
}

/** Where an arc leaves or arrives: of several at one box, the wider ones are outside. */
function ports(links: readonly Link[]): (link: Link) => Port {
  const shift = (link: Link, same: readonly Link[]) => {
    const order = same.toSorted((a, b) => Math.abs(b.to - b.from) - Math.abs(a.to - a.from));
    return (order.indexOf(link) + 1) * (16 / (order.length + 1));
  };
  return (link) => {
    const leaving = shift(
      link,
      links.filter(({ from }) => from === link.from),
    );
    const arriving = shift(
      link,
      links.filter(({ to }) => to === link.to),
    );
    const isDown = link.to > link.from;
    return {
      out: middle(link.from) + (isDown ? leaving : -leaving),
      in: middle(link.to) + (isDown ? -arriving : arriving),
    };
  };
}

interface Port {
  readonly out: number;
  readonly in: number;
}

function kindOf({ cited, declared }: Link): string {
  return cited === declared ? 'all' : cited === 0 ? 'none' : 'some';
}

function arc(link: Link, { out, in: arrival }: Port): string {
  const x = box.left + box.width;
  const far = x + bulge(link);
  const way = `M ${x} ${out} C ${far} ${out} ${far} ${arrival} ${x + 3} ${arrival}`;
  return `<path class="arc ${kindOf(link)}" d="${way}" marker-end="url(#${kindOf(link)})"/>`;
}

function label(link: Link, port: Port): string {
  const x = Math.round(box.left + box.width + bulge(link) * 0.75);
  const y = (port.out + port.in) / 2;
  const text = `${link.cited}/${link.declared}`;
  const half = text.length * 4 + 4;
  return [
    `<rect class="chip" x="${x - half}" y="${y - 10}" width="${2 * half}" height="20" rx="6"/>`,
    `<text class="label ${kindOf(link)}" x="${x}" y="${y + 4}">${text}</text>`,
  ].join('');
}

function middle(index: number): number {
  return box.top + index * (box.height + box.gap) + box.height / 2;
}

function node(row: AuditReport['agents'][number], index: number, { orphans }: AuditReport): string {
  const y = box.top + index * (box.height + box.gap);
  const isOrphan = orphans.some(({ agent }) => agent === row.agent);
  const kind = row.isCompliant ? (isOrphan ? 'orphan' : '') : 'broken';
  const told = row.hasRecord
    ? `${row.outputs.declared} out, ${row.citationsIn} in${isOrphan ? ', orphan' : row.isCompliant ? '' : ', record broken'}`
    : 'no Handoff Record';
  return [
    `<g><rect class="box ${kind}" x="${box.left}" y="${y}" width="${box.width}" height="${box.height}" rx="8"/>`,
    `<text class="name" x="${box.left + 14}" y="${y + 20}">${escaped(clip(row.agent, longestName))}</text>`,
    `<text class="dim" x="${box.left + 14}" y="${y + 37}">${escaped(told)}</text></g>`,
  ].join('');
}

function legend(y: number, hidden: number): string {
  const parts = ['cited/declared'];
  if (hidden > 0) parts.push(`${hidden} more agents are not drawn`);
  return `<text class="dim" x="${box.left}" y="${y}">${escaped(parts.join(', '))}</text>`;
}

const style = `<style>
.page{fill:#fff}.box{fill:#f6f8fa;stroke:#8c959f;stroke-width:1.2}.box.broken{stroke:#cf222e;stroke-dasharray:5 3}.box.orphan{stroke:#bf8700}
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#1f2328}.title{font-size:18px;font-weight:600}.name{font-weight:600}.dim{font-size:12px;fill:#59636e}
.arc{fill:none;stroke-width:2}.arc.all{stroke:#1a7f37}.arc.some{stroke:#bf8700}.arc.none{stroke:#cf222e;stroke-dasharray:6 4}
.chip{fill:#fff}.label{text-anchor:middle;font-size:12px;font-weight:600}.label.all{fill:#1a7f37}.label.some{fill:#9a6700}.label.none{fill:#cf222e}
.head.all{fill:#1a7f37}.head.some{fill:#bf8700}.head.none{fill:#cf222e}
@media (prefers-color-scheme:dark){.page,.chip{fill:#0d1117}.box{fill:#161b22;stroke:#6e7681}text{fill:#e6edf3}.dim{fill:#9198a1}
.label.all{fill:#3fb950}.label.some{fill:#d29922}.label.none{fill:#f85149}.arc.all{stroke:#3fb950}.arc.some{stroke:#d29922}.arc.none,.box.broken{stroke:#f85149}.box.orphan{stroke:#d29922}
.head.all{fill:#3fb950}.head.some{fill:#d29922}.head.none{fill:#f85149}}
</style>`;

const markers = `<defs>${['all', 'some', 'none']
  .map(
    (kind) =>
      `<marker id="${kind}" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path class="head ${kind}" d="M0 0L10 5L0 10z"/></marker>`,
  )
  .join('')}</defs>`;

function clip(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

function escaped(text: string): string {
  return escapeMarkup(visibleLine(text));
}
