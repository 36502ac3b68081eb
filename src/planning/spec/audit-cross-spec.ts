import type { AuditIssue } from '#schema/planning.ts';
import { isDemanding, itemsOf } from './audit-completeness.ts';
import { type ParsedSpec, parseSpec, plainTitle } from './parse-spec.ts';
import type { SpecBundle, SpecFile } from './spec.ts';

/** Level 3: the specs of one feature do not contradict each other, as far as code can tell. */
export function crossSpec(spec: SpecBundle, parsed: ParsedSpec): AuditIssue[] {
  const product = spec.linked.find(({ kind }) => kind === 'prd');
  switch (spec.kind) {
    case 'rfc':
      return product ? [...unmentioned(product, spec), ...flowsWithout(product, spec)] : [];
    case 'design':
      return [...(product ? unmentioned(product, spec) : []), ...missingStates(parsed)];
    case 'feature':
    case 'prd':
    case 'defect':
      return [];
  }
}

/** Exact terms (`names`, "texts", numbers) of a requirement that the other spec never mentions. */
function unmentioned(product: SpecFile, spec: SpecBundle): AuditIssue[] {
  const said = spec.text.toLowerCase();
  return parseSpec(product.text)
    .sections.filter(isDemanding)
    .flatMap((section) =>
      itemsOf(section).flatMap(({ line, text }) => {
        const missing = exactThings(text).filter((thing) => !mentions(said, thing));
        if (missing.length === 0) return [];
        return [
          warning(
            `${product.path}:${line} asks for ${missing.join(', ')}, which does not occur here: "${cut(text)}"`,
          ),
        ];
      }),
    );
}

function exactThings(text: string): string[] {
  const quoted = [...text.matchAll(/`([^`]{1,500})`|"([^"]{1,500})"|“([^”]{1,500})”/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? '',
  );
  const plain = text.replace(/`[^`]{1,500}`|"[^"]{1,500}"|“[^”]{1,500}”/g, ' ');
  const numbers = plain.match(/\b\d+(?:[.,]\d+)?\b/g) ?? [];
  return [...new Set([...quoted, ...numbers])].filter((thing) => thing.trim() !== '');
}

function mentions(said: string, thing: string): boolean {
  const plain = thing.toLowerCase();
  return /^[\d.,]+$/.test(plain)
    ? new RegExp(`(?<![\\d.,])${plain.replace(/[.]/g, '\\.')}(?![\\d])`).test(said)
    : said.includes(plain);
}

/** A flow whose words occur nowhere is missing in the other specs. */
function flowsWithout(product: SpecFile, spec: SpecBundle): AuditIssue[] {
  const { sections } = parseSpec(product.text);
  const start = sections.findIndex(({ title }) => plainTitle(title) === 'user flows');
  if (start < 0) return [];
  const level = sections[start]?.level ?? 2;
  const rest = sections.slice(start + 1);
  const end = rest.findIndex((section) => section.level <= level);
  const said = spec.text.toLowerCase();
  return rest
    .slice(0, end < 0 ? rest.length : end)
    .filter(({ title }) => {
      const words = plainTitle(title)
        .split(' ')
        .filter((word) => word.length > 3);
      return words.length > 0 && !words.some((word) => said.includes(word));
    })
    .map(({ title, line }) => warning(`the flow "${title}" of ${product.path}:${line} does not occur here`));
}

const states = ['loading', 'empty', 'error', 'success'];

function missingStates({ prose }: ParsedSpec): AuditIssue[] {
  const said = prose.map(({ text }) => text.toLowerCase()).join('\n');
  return states
    .filter((state) => !new RegExp(`\\b${state}\\b`).test(said))
    .map((state) => warning(`it does not say what a screen shows in the state "${state}"`));
}

function cut(text: string): string {
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

function warning(message: string): AuditIssue {
  return { level: 'cross-spec', severity: 'warning', line: 1, section: null, message };
}
