import type { Finding, Site } from '#schema/check-report.ts';
import type { Frame } from '#schema/frame.ts';

/** A frame with every site inside its lines. */
export interface ShownFrame extends Omit<Frame, 'line' | 'column'> {
  readonly sites: readonly { readonly line: number; readonly column: number }[];
}

export interface Choice {
  readonly frames: readonly ShownFrame[];
  /** Sites that no chosen frame shows. */
  readonly others: readonly Site[];
}

const mostFrames = 6;
const mostPerSide = { provider: 1, consumer: 2 } as const;

/** Enough code to understand the finding: each side once or twice, no line shown twice. */
export function chooseFrames(
  finding: Finding,
  frames: readonly Frame[],
  isComplete: boolean,
  alreadyShown: ReadonlySet<string> = new Set(),
): Choice {
  const chosen: (ShownFrame & { sites: { line: number; column: number }[] })[] = [];
  const perSide = new Map<string, number>();
  for (const frame of frames) {
    if (alreadyShown.has(placeKey(frame))) continue;
    const around = chosen.find((shown) => shown.removed === frame.removed && contains(shown, frame));
    const site = { line: frame.line, column: frame.column };
    if (around) {
      around.sites.push(site);
      continue;
    }
    const side = `${frame.role} ${frame.removed} ${frame.branch}`;
    const count = perSide.get(side) ?? 0;
    if (!isComplete && (chosen.length >= mostFrames || count >= mostPerSide[frame.role])) continue;
    perSide.set(side, count + 1);
    const { line: _line, column: _column, ...rest } = frame;
    chosen.push({ ...rest, sites: [site] });
  }
  const trimmed = chosen.map((frame) => nearSite(withoutBlankEdges(frame)));
  const shown = new Set([...alreadyShown, ...chosen.flatMap(shownPlaces)]);
  return { frames: trimmed, others: finding.sites.filter((site) => !shown.has(placeKey(site))) };
}

/** Removes blank lines at both ends. */
function withoutBlankEdges(frame: ShownFrame): ShownFrame {
  const isKept = frame.lines.map(
    (line, index) => line.trim() !== '' || frame.sites.some((site) => site.line === frame.firstLine + index),
  );
  const first = Math.max(0, isKept.indexOf(true));
  const last = isKept.lastIndexOf(true);
  return { ...frame, firstLine: frame.firstLine + first, lines: frame.lines.slice(first, last + 1) };
}

const longestLine = 2000;

/** Of very long lines, as in generated code, only the part around the site is drawn. */
function nearSite(frame: ShownFrame): ShownFrame {
  if (frame.lines.every(({ length }) => length <= longestLine)) return frame;
  const from = Math.max(0, (frame.sites[0]?.column ?? 1) - longestLine / 2);
  return {
    ...frame,
    lines: frame.lines.map((line) => line.slice(from, from + longestLine)),
    sites: frame.sites.map(({ line, column }) => ({ line, column: Math.max(1, column - from) })),
  };
}

/** The same key for the same place. */
function placeKey({ branch, file, line }: Pick<Site, 'branch' | 'file' | 'line'>): string {
  return JSON.stringify([branch, file, line]);
}

export function shownPlaces({ branch, file, sites }: ShownFrame): string[] {
  return sites.map(({ line }) => placeKey({ branch, file, line }));
}

function contains(shown: ShownFrame, { branch, file, line }: Frame): boolean {
  const last = shown.firstLine + shown.lines.length - 1;
  return shown.branch === branch && shown.file === file && line >= shown.firstLine && line <= last;
}

/** `src/a.ts:3, 17` per file; names the branch only where it changes. */
export function summarizeSites(sites: readonly Site[], most: number): string[] {
  const files = new Map<string, { site: Site; lines: number[] }>();
  for (const site of sites.slice(0, most)) {
    const key = JSON.stringify([site.branch, site.file]);
    const entry = files.get(key);
    if (entry) entry.lines.push(site.line);
    else files.set(key, { site, lines: [site.line] });
  }
  let branch = '';
  return Array.from(files.values(), ({ site, lines }) => {
    const label = site.branch === branch ? '' : `${site.branch} `;
    branch = site.branch;
    return `${label}${site.file}:${lines.join(',')}`;
  });
}
