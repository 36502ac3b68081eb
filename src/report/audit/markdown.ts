import { visibleLine } from '#lib/visible.ts';
import { printJson } from '#report/text/json.ts';
import type { AuditReport } from '#schema/audit.ts';
import { breaks } from '#schema/verdict.ts';
import { wordsIn } from './words.ts';

const mostRecommendations = 5;
const mostNamed = 3;

/** `coherence-report.md`: the same sections as in a buildcrew pipeline, all from one report. */
export function renderAuditMarkdown(report: AuditReport, { at }: { readonly at: string }): string {
  const blocks = [
    `# Coherence Report: ${plain(report.subject.name)}`,
    list([
      `Generated: ${at}`,
      `Iteration: ${report.iteration ?? '–'}`,
      `Pipeline: ${report.pipeline.map(plain).join(' → ') || '–'}`,
    ]),
    ...overall(report),
    ...gaps(report),
    ...fabrications(report),
    ...verification(report),
    ...orphans(report),
    ...densities(report),
    ...compliance(report),
    ...recommendations(report),
    '## Raw Data (machine-readable)',
    `\`\`\`json\n${printJson(rawData(report)).replaceAll('`', '\\u0060')}\`\`\``,
    '## Verdict',
    verdict(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

function overall(report: AuditReport): string[] {
  const { score, status, actualEdges, possibleEdges, compliance: records, code } = report;
  const count = (wanted: string) => code.claims.filter((claim) => claim.status === wanted).length;
  return [
    '## Overall',
    list([
      `**Coordination Score**: ${score === null ? 'n/a' : `${score}%`} (${actualEdges}/${possibleEdges} edges)`,
      `Status: ${status}`,
      `Handoff Record compliance: ${records.compliant}/${records.total} agents`,
      `Fabrications: ${report.fabrications.length}`,
      `Code verification: ${count('CONFIRMED')} confirmed, ${count('PARTIAL')} partial, ${count('MISSING_IN_CODE')} missing`,
    ]),
  ];
}

function gaps({ gaps: unused, missingOutputs, language }: AuditReport): string[] {
  const words = wordsIn[language];
  const entries = unused.map(({ output, addressedTo }) => {
    const roles = addressedTo.map(plain).join(', ');
    return `**Unused output**: ${code(output)} — ${words.declaredFor(roles)}\n   Suggested action: ${words.checkUse(roles)}`;
  });
  // An output that was never declared is no gap between two agents.
  const missing = missingOutputs.map(
    ({ agent, to }) => `**Missing output**: ${words.expected(plain(agent), plain(to))}`,
  );
  return [
    `## Gaps (${entries.length})`,
    numbered(entries, words.none),
    ...(missing.length === 0 ? [] : [list(missing, words.none)]),
  ];
}

function fabrications({ fabrications: invented, language }: AuditReport): string[] {
  const words = wordsIn[language];
  const entries = invented.map(({ file, line, cited, kind }) => {
    const told = kind === 'code' ? words.notInCode(code(cited)) : words.doesNotExist(code(cited));
    return `${code(`${file}:${line}`)} → ${told}`;
  });
  return [`## Fabrications (${invented.length})`, list(entries, words.none)];
}

function verification({ code: { diff, claims }, language }: AuditReport): string[] {
  const words = wordsIn[language];
  const entries = claims.map(
    ({ from, file, status, evidence }) =>
      `**${plain(from)} → ${plain(file)}**: ${status}\n  Evidence: ${plain(evidence)}`,
  );
  const skipped = diff.status === 'skipped' ? [`${words.skipped} (diff): ${plain(diff.detail)}`] : [];
  return ['## Code Verification Details', list([...entries, ...skipped], words.none)];
}

function orphans({ orphans: alone, language }: AuditReport): string[] {
  const words = wordsIn[language];
  const entries = alone.map(({ agent, why, density, unused }) =>
    why === 'no-inputs'
      ? `${plain(agent)}: ${words.noInputs}`
      : `${plain(agent)}: ${words.ignored(density ?? 0, unused)}`,
  );
  return [`## Orphans (${alone.length})`, list(entries, words.none)];
}

function densities({ agents }: AuditReport): string[] {
  const rows = agents.map(({ agent, outputs, density }) => [
    plain(agent),
    String(outputs.declared),
    String(outputs.cited),
    density === null ? '–' : `${density}%`,
  ]);
  return ['## Per-Agent Citation Density', table(['Agent', 'Outputs', 'Cited', 'Density'], rows)];
}

function compliance({ agents, language }: AuditReport): string[] {
  const mark = (isSo: boolean) => (isSo ? '✓' : '✗');
  const rows = agents.map(({ agent, hasRecord, inputs, outputs, decisions, flags }) => [
    plain(agent),
    mark(hasRecord),
    mark(hasRecord && inputs.valid === inputs.declared && (inputs.declared > 0 || inputs.isNone)),
    mark(outputs.declared > 0 || outputs.isNone),
    mark(decisions.logged > 0 || decisions.isNone),
    hasRecord ? flags.join(', ') || '—' : wordsIn[language].noRecord,
  ]);
  const head = ['Agent', 'HR present', 'Inputs valid', 'Outputs declared', 'Decisions logged', 'Notes'];
  return ['## Per-Agent Handoff Compliance', table(head, rows)];
}

function recommendations(report: AuditReport): string[] {
  const { recommend, none } = wordsIn[report.language];
  const named = (names: readonly string[]) => {
    const different = [...new Set(names)];
    const rest = different.length - mostNamed;
    return `${different.slice(0, mostNamed).map(code).join(', ')}${rest > 0 ? ` (+${rest})` : ''}`;
  };
  const advice: [(names: string) => string, readonly string[]][] = [
    [
      recommend.records,
      report.agents.filter(({ isCompliant }) => !isCompliant).map(({ files }) => files[0] ?? ''),
    ],
    [recommend.fabrications, report.fabrications.map(({ file, line }) => `${file}:${line}`)],
    [recommend.outputs, report.missingOutputs.map(({ agent, to }) => `${agent} → ${to}`)],
    [recommend.gaps, report.gaps.map(({ output }) => output)],
    [recommend.orphans, report.orphans.map(({ agent }) => agent)],
  ];
  const entries = advice.flatMap(([say, names]) => (names.length === 0 ? [] : [say(named(names))]));
  return ['## Recommendations', numbered(entries.slice(0, mostRecommendations), none)];
}

function verdict({ language, status, exitCode, findings }: AuditReport): string {
  const words = wordsIn[language];
  const wrong = findings.filter(breaks).length;
  return [words.verdict[status], ...(exitCode === 1 ? [words.fails(wrong)] : [])].join(' ');
}

/** The keys that readers of such reports expect. */
function rawData(report: AuditReport) {
  return {
    score: report.score,
    possible_edges: report.possibleEdges,
    actual_edges: report.actualEdges,
    gaps: report.gaps.map(({ agent, output, addressedTo }) => ({
      agent,
      anchor: output,
      addressed_to: addressedTo.join(', '),
    })),
    missing_outputs: report.missingOutputs.map(({ agent, to }) => ({ agent, addressed_to: to })),
    fabrications: report.fabrications,
    orphans: report.orphans,
    code_verifications: report.code.claims.map(({ from, file, status, evidence }) => ({
      from,
      to: file,
      status,
      evidence,
    })),
    agents: Object.fromEntries(
      report.agents.map(({ agent, citationsIn, citationsOut, outputs, isCompliant }) => [
        agent,
        {
          citations_in: citationsIn,
          citations_out: citationsOut,
          outputs: outputs.declared,
          hr_compliant: isCompliant,
        },
      ]),
    ),
  };
}

function list(entries: readonly string[], none = ''): string {
  return entries.length === 0 ? none : entries.map((entry) => `- ${entry}`).join('\n');
}

function numbered(entries: readonly string[], none: string): string {
  return entries.length === 0 ? none : entries.map((entry, index) => `${index + 1}. ${entry}`).join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Escapes text of others: it must not format, link or break a table. */
function plain(text: string): string {
  return visibleLine(text)
    .replaceAll(/[\\`*_[\]<>~&$]/g, '\\$&')
    .replaceAll('|', '&#124;');
}

/** A backtick would end the code, a pipe would end the cell. */
function code(text: string): string {
  return `\`${visibleLine(text).replaceAll('`', "'").replaceAll('|', '¦')}\``;
}
