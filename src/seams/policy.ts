import { compileGlobs } from '../code/resolve/glob.ts';
import type { CheckReport, Finding } from '../model/check-report.ts';
import type { Config } from '../model/config.ts';
import { severityFor } from '../model/vocabulary.ts';

export type Policy = Pick<Config, 'rules' | 'ignore'>;

/** What the project decided about findings: severities, rules that are off, known ones that are accepted until a date. */
export function applyPolicy<T extends { readonly finding: Finding }>(
  entries: readonly T[],
  policy: Policy,
  today: string,
): { kept: (T & { finding: Finding })[]; notes: CheckReport['degraded'] } {
  const active = policy.ignore.filter(({ expires }) => expires === undefined || expires >= today);
  const used = new Set<Policy['ignore'][number]>();
  const kept = entries.flatMap((entry) => {
    const wished = policy.rules[entry.finding.rule];
    if (wished === 'off') return [];
    const ignoring = active.find((ignore) => covers(ignore, entry.finding));
    if (ignoring) {
      used.add(ignoring);
      return [];
    }
    const severity =
      wished === undefined ? entry.finding.severity : severityFor(wished, entry.finding.confidence);
    return [{ ...entry, finding: { ...entry.finding, severity } }];
  });
  const notes = policy.ignore.flatMap((ignore) => {
    if (!active.includes(ignore))
      return [{ check: 'ignore', reason: `expired on ${ignore.expires}: ${describe(ignore)}` }];
    return used.has(ignore)
      ? []
      : [{ check: 'ignore', reason: `matches nothing any more: ${describe(ignore)}` }];
  });
  return { kept, notes };
}

type Ignore = Policy['ignore'][number];

/** Every part that an entry names has to match. */
function covers({ id, rule, path, symbol }: Ignore, finding: Finding): boolean {
  if (id !== undefined && id !== finding.id) return false;
  if (rule !== undefined && rule !== finding.rule) return false;
  if (symbol !== undefined && !finding.sites.some((site) => site.symbol === symbol)) return false;
  return path === undefined || finding.sites.some((site) => compileGlobs([path])(site.file));
}

function describe({ id, rule, path, symbol, reason }: Ignore): string {
  return `${[id, rule, path, symbol].filter((part) => part !== undefined).join(' ')} (${reason})`;
}
