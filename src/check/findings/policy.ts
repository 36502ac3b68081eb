import type { Config } from '#config/settings.ts';
import { compileGlobs } from '#lib/glob.ts';
import type { CheckReport, Finding } from '#schema/check-report.ts';
import { rootCauseId } from '#schema/identity.ts';
import { severityFor } from '#schema/vocabulary.ts';

export type Policy = Pick<Config, 'rules' | 'ignore'>;

/** The findings after the project's policy was applied. */
interface Decided<T> {
  readonly kept: (T & { readonly finding: Finding })[];
  readonly ignored: NonNullable<CheckReport['ignored']>;
  /** Ignore entries without effect. */
  readonly notes: CheckReport['degraded'];
}

/** Applies the project's policy: severities, rules that are off, findings that are accepted until a date. */
export function applyPolicy<T extends { readonly finding: Finding }>(
  entries: readonly T[],
  policy: Policy,
  today: string,
): Decided<T> {
  const active = policy.ignore.filter(({ expires }) => expires === undefined || expires >= today);
  const used = new Set<Ignore>();
  const kept: (T & { readonly finding: Finding })[] = [];
  const ignored: NonNullable<CheckReport['ignored']> = [];
  for (const entry of entries) {
    const { finding } = entry;
    const wished = policy.rules[finding.rule];
    const covering = active.filter((ignore) => covers(ignore, finding));
    for (const ignore of covering) used.add(ignore);
    const reason = wished === 'off' ? `${finding.rule} is off` : covering[0]?.reason;
    if (reason !== undefined) ignored.push({ id: finding.id, rule: finding.rule, reason });
    else {
      const severity =
        wished === undefined || wished === 'off' ? finding.severity : severityFor(wished, finding.confidence);
      kept.push({ ...entry, finding: { ...finding, severity } });
    }
  }
  const notes = policy.ignore.flatMap((ignore) => {
    if (!active.includes(ignore))
      return [{ check: 'ignore', reason: `expired on ${ignore.expires}: ${describe(ignore)}` }];
    return used.has(ignore)
      ? []
      : [{ check: 'ignore', reason: `matches nothing in this check: ${describe(ignore)}` }];
  });
  return { kept, ignored, notes };
}

type Ignore = Policy['ignore'][number];

/** Reports for people cut ids to this length, or longer if needed to distinguish them. */
const shortestId = 8;

/** Every part that an entry names must match. */
function covers({ id, rule, path, symbol }: Ignore, finding: Finding): boolean {
  if (id !== undefined && !(id.length < shortestId ? finding.id === id : finding.id.startsWith(id)))
    return false;
  if (rule !== undefined && rule !== finding.rule) return false;
  if (symbol !== undefined && !isAbout(finding, symbol)) return false;
  return path === undefined || finding.sites.some((site) => compileGlobs([path])(site.file));
}

/** The symbol is at one of the sites, or is the cause: after a rename no site has the old name. */
function isAbout({ rule, rootCause, sites }: Finding, symbol: string): boolean {
  return sites.some((site) => site.symbol === symbol) || rootCauseId(rule, symbol) === rootCause;
}

function describe({ id, rule, path, symbol, reason }: Ignore): string {
  return `${[id, rule, path, symbol].filter((part) => part !== undefined).join(' ')} (${reason})`;
}
