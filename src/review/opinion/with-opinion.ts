import type { CheckReport, Finding, Site } from '#schema/check-report.ts';
import type { Frame } from '#schema/frame.ts';
import { findingId, rootCauseId } from '#schema/identity.ts';
import type { Opinion } from '#schema/opinion.ts';
import { type Severity, severities } from '#schema/vocabulary.ts';
import type { Claim } from './claim.ts';
import { type Facts, type Held, type HeldPlace, holdToFacts, linesOf } from './hold-to-facts.ts';

/** The rule id for findings of a model. It is not in the catalogue: no code decides it. */
const rule = 'opinion';

const severityWords = { critical: 'blocking', major: 'important', minor: 'minor' } as const;

export interface ComparedClaims {
  /** What only the model reports, each problem once, the worst first. */
  readonly findings: readonly Finding[];
  readonly frames: ReadonlyMap<string, readonly Frame[]>;
  readonly agrees: Opinion['agrees'];
  readonly dropped: Opinion['dropped'];
}

/**
 * Verifies a model's claims against the facts and compares them with the findings of code. `stable` gives the branch name
 * that ids are computed from. The report does not change: the model only adds, and nothing it adds is proven or blocks.
 */
export function compareClaims(
  claims: readonly Claim[],
  facts: Facts,
  report: Pick<CheckReport, 'findings' | 'union' | 'base'>,
  stable: (ref: string) => string = (ref) => ref,
): ComparedClaims {
  const agrees: Opinion['agrees'] = [];
  const dropped: Opinion['dropped'] = [];
  const own = new Map<string, { finding: Finding; frames: Frame[] }>();
  for (const claim of claims) {
    const judged = holdToFacts(claim, facts);
    if ('dropped' in judged) {
      dropped.push({ entry: claim.entry, says: claim.says, reason: judged.dropped });
      continue;
    }
    const { held } = judged;
    const same = report.findings.find((finding) => isSame(held, finding, report.base.ref));
    if (same) agrees.push({ finding: same.id, says: claim.says });
    else {
      const finding = findingOf(held, facts, report, stable);
      const known = own.get(finding.id);
      if (!known || weight(finding) < weight(known.finding))
        own.set(finding.id, { finding, frames: held.places.flatMap(frameOf) });
    }
  }
  const sorted = [...own.values()].sort(
    (a, b) => weight(a.finding) - weight(b.finding) || (a.finding.id < b.finding.id ? -1 : 1),
  );
  return {
    findings: sorted.map(({ finding }) => finding),
    frames: new Map(sorted.map(({ finding, frames }) => [finding.id, frames])),
    agrees,
    dropped,
  };
}

function weight({ severity }: { readonly severity: Severity }): number {
  return severities.indexOf(severity);
}

/** True if they blame the same branches and name the same place. */
function isSame({ branches, places }: Held, finding: Finding, base: string): boolean {
  const blames = new Set(finding.branches);
  const isWithin = branches.every((ref) => blames.has(ref));
  const isAround = finding.branches.every((ref) => ref === base || branches.includes(ref));
  return (isWithin || isAround) && places.some((place) => finding.sites.some((site) => isSite(place, site)));
}

function isSite({ branch, file, line, symbol }: HeldPlace, site: Site): boolean {
  if (site.branch !== branch || site.file !== file) return false;
  if (line !== null && line >= site.line && line <= Math.max(site.line, site.endLine)) return true;
  return symbol !== null && site.symbol === `${file}#${symbol}`;
}

function findingOf(
  { claim, branches, places, item }: Held,
  { branches: known, base }: Facts,
  { union }: Pick<CheckReport, 'union'>,
  stable: (ref: string) => string,
): Finding {
  const keys = places.map(({ file, symbol, line, text }) => `${file}#${symbol ?? lineText(text, line)}`);
  const cause = JSON.stringify([claim.category, ...(item ? [item.name] : []), ...keys.toSorted()]);
  const rootCause = rootCauseId(rule, cause);
  const commits = [...known, base].filter(({ ref }) => branches.includes(ref));
  return {
    id: findingId(rootCause, branches.map(stable)),
    rootCause,
    rule,
    category: claim.category,
    severity: severityWords[claim.severity],
    confidence: 'possible',
    judge: null,
    decidedBy: 'agent',
    message: item ? `${claim.says} (code: ${item.status}, ${item.detail})` : claim.says,
    branches: [...branches],
    owner: null,
    ownerReason: 'a model reports it, and code has not confirmed it',
    sites: places.map(siteOf),
    tier: 'R0',
    witness: {
      unionTree: union.tree,
      members: commits.map(({ ref, commit }) => ({ ref, commit })),
      command: '',
      output: '',
      absentOn: [],
    },
    suggestion: '',
    effect: 'shown',
  };
}

/** The text of a line: an id must not depend on its number. */
function lineText(text: string, line: number | null): string {
  return line === null ? '' : `~${linesOf(text)[line - 1]?.trim() ?? ''}`;
}

function siteOf({ branch, file, line, symbol, role, text }: HeldPlace): Site {
  const at = line ?? 1;
  const column = columnOf(linesOf(text)[at - 1]);
  return { branch, file, line: at, column, endLine: at, symbol: `${file}#${symbol ?? ''}`, role };
}

/** The column of the first character that is not white space. */
function columnOf(line = ''): number {
  return Math.max(0, line.search(/\S/)) + 1;
}

const context = 2;

function frameOf({ branch, file, line, role, text }: HeldPlace): Frame[] {
  if (line === null) return [];
  const firstLine = Math.max(1, line - context);
  const all = linesOf(text);
  const lines = all.slice(firstLine - 1, line + context);
  return [{ branch, file, removed: false, firstLine, lines, line, column: columnOf(all[line - 1]), role }];
}
