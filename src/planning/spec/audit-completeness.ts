import type { AuditIssue } from '#schema/planning.ts';
import { type ParsedSpec, plainTitle, type SpecSection } from './parse-spec.ts';

/** Level 2: every section says enough to act on. */
export function completeness({ sections }: ParsedSpec): AuditIssue[] {
  return sections.flatMap((section) => [
    ...thinText(section),
    ...emptyTables(section),
    ...emptyItems(section),
    ...(isDemanding(section) ? [...missingList(section), ...vagueItems(section)] : []),
  ]);
}

const listItem = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s*)?(.*)$/;
const tableRow = /^\s*\|/;

/** Requirements and criteria: a plan is made from them. */
export function isDemanding({ title }: SpecSection): boolean {
  return /^(requirements?|acceptance criteria|success criteria)\b/.test(plainTitle(title));
}

/** The text of each bullet, with its line. */
export function itemsOf({ body }: SpecSection): { line: number; text: string }[] {
  return body.flatMap(({ line, text, isCode }) => {
    const found = isCode ? null : listItem.exec(text);
    return found ? [{ line, text: (found[1] ?? '').trim() }] : [];
  });
}

function thinText(section: SpecSection): AuditIssue[] {
  const { body, title, line } = section;
  const isOther = body.some(({ text, isCode }) => isCode || tableRow.test(text) || listItem.test(text));
  if (body.length === 0 || isOther || /^(severity|related feature)$/.test(plainTitle(title))) return [];
  const prose = body.map(({ text }) => text).join(' ');
  const sentences = prose.match(/(?<![^.!?])[^.!?]+(?:[.!?]{1,20})(?=\s|$)/g)?.length ?? 0;
  // "No change." is complete.
  if (sentences > 1 || /^(none|no change|nothing|not applicable|n\/a)\b/i.test(prose.trim())) return [];
  return [warning(line, title, `the section "${title}" has hardly a sentence`)];
}

function emptyTables({ body, title }: SpecSection): AuditIssue[] {
  return body.flatMap(({ text, line }, index) => {
    const isRule = /^\s{0,200}\|?\s{0,200}:?-{2,}/.test(text) && text.includes('|');
    const after = body[index + 1];
    if (!isRule || (after && tableRow.test(after.text) && /[^|\s]/.test(after.text))) return [];
    return [warning(line, title, `the table in "${title}" has no rows`)];
  });
}

function emptyItems(section: SpecSection): AuditIssue[] {
  return itemsOf(section)
    .filter(({ text }) => text === '')
    .map(({ line }) => warning(line, section.title, `an item in "${section.title}" is empty`));
}

function missingList(section: SpecSection): AuditIssue[] {
  const hasTable = section.body.some(({ text }) => tableRow.test(text));
  if (section.isEmpty || section.body.length === 0 || hasTable || itemsOf(section).length > 0) return [];
  return [warning(section.line, section.title, `"${section.title}" has no list: one item for each of them`)];
}

const vague =
  /\b(fast|quick(?:ly)?|easy|easily|simple|user-friendly|intuitive|robust|scalable|flexible|as appropriate|as needed|if possible|and so on|etc)\b/i;

function vagueItems(section: SpecSection): AuditIssue[] {
  return itemsOf(section).flatMap(({ line, text }) => {
    const word = vague.exec(text.replace(/`[^`]*`|"[^"]*"/g, ''))?.[1];
    return word === undefined
      ? []
      : [warning(line, section.title, `"${word}" cannot be verified: say how much, or how`)];
  });
}

function warning(line: number, section: string, message: string): AuditIssue {
  return { level: 'completeness', severity: 'warning', line, section, message };
}
