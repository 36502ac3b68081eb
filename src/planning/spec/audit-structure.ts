import { nearest } from '#lib/nearest.ts';
import type { AuditIssue, SpecKind } from '#schema/planning.ts';
import { isDemanding } from './audit-completeness.ts';
import { type ParsedSpec, plainTitle, type SpecLine } from './parse-spec.ts';
import type { SpecBundle } from './spec.ts';

interface StructureInput {
  readonly parsed: ParsedSpec;
  readonly spec: SpecBundle;
  readonly template: ParsedSpec;
  readonly brokenLinks: readonly string[];
}

/** Level 1: every section of the template exists, and no placeholder is left. */
export function structure({ parsed, spec, template, brokenLinks }: StructureInput): AuditIssue[] {
  return [
    ...(parsed.title === null ? [error(1, null, 'it does not begin with a title: # <name>')] : []),
    ...missingSections(parsed, template, spec.kind),
    ...parsed.sections
      .filter(({ isEmpty }) => isEmpty)
      .map(({ line, title }) => error(line, title, `the section "${title}" is empty`)),
    ...leftovers(parsed, template),
    ...parsed.links
      .filter(({ target }) => brokenLinks.includes(target))
      .map(({ line, target }) => error(line, null, `the link to ${target} leads to no file`)),
    ...missingProductSpec(spec),
  ];
}

/**
 * A placeholder heading of the template matches any heading. A feature may use its own headings: only the sections that a plan is made from
 * are required.
 */
function missingSections(parsed: ParsedSpec, template: ParsedSpec, kind: SpecKind): AuditIssue[] {
  const titles = parsed.sections.map(({ title }) => title);
  const known = new Set(titles.map(plainTitle));
  const missing = template.sections.filter(
    ({ title }) => !title.includes('{') && !known.has(plainTitle(title)),
  );
  const isFree = kind === 'feature' && parsed.sections.some(isDemanding);
  return missing.map((section) => {
    const meant = nearest(section.title, titles);
    const issue = error(
      1,
      null,
      `the section "${section.title}" is missing${meant === null ? '' : `; did you mean it by "${meant}"?`}`,
    );
    const isNeeded = !isFree && (kind !== 'feature' || isDemanding(section));
    return isNeeded ? issue : { ...issue, severity: 'warning' };
  });
}

const unfinished = /\b(TODO|FIXME|TBD|XXX)\b/;

function leftovers({ prose }: ParsedSpec, template: ParsedSpec): AuditIssue[] {
  const placeholders = new Set(template.prose.flatMap(({ text }) => text.match(/\{[^{}]+\}/g) ?? []));
  return prose.flatMap(({ line, text }: SpecLine) => {
    const plain = text.replace(/`[^`]*`/g, '');
    const word = unfinished.exec(plain)?.[1];
    const left = [...placeholders].find((placeholder) => plain.includes(placeholder));
    return [
      ...(word === undefined ? [] : [error(line, null, `${word}: decide it`)]),
      ...(left === undefined ? [] : [error(line, null, `${left} is still to be filled in`)]),
    ];
  });
}

function missingProductSpec({ kind, linked }: SpecBundle): AuditIssue[] {
  if (kind !== 'rfc' && kind !== 'design') return [];
  if (linked.some((each) => each.kind === 'prd')) return [];
  return [error(1, null, 'it does not link to its product spec: > See [product spec](../product/<name>.md)')];
}

function error(line: number, section: string | null, message: string): AuditIssue {
  return { level: 'structural', severity: 'error', line, section, message };
}
