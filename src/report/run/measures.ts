import type { Measures, TrendReport } from '#schema/measures.ts';

/** Each measure separately: no number sums them up. */
export function measureLines({ coordination, compatibility, evidence, requirements }: Measures): string[] {
  const rules = Object.entries(compatibility.byRule).map(([rule, count]) => `${rule} ${count}`);
  return [
    `coordination: ${scoreText(coordination)}, ${coordination.cited} of ${coordination.addressed} outputs cited`,
    ...(coordination.status === 'Theater'
      ? ['COORDINATION FAILURE: score below 50 %. What tasks handed on was not used.']
      : []),
    `compatibility: ${compatibility.open} open problems between tasks${rules.length > 0 ? ` (${rules.join(', ')})` : ''}`,
    `evidence: ${evidence.proven} of ${evidence.claims} claims are borne out by our own records`,
    `requirements: ${requirements.confirmed} of ${requirements.criteria} criteria are confirmed`,
  ];
}

function scoreText({ score, status }: Measures['coordination']): string {
  return score === null ? 'n/a' : `${score} % ${status}`;
}

/** One row per run, the oldest first. */
export function renderTrend({ runs }: TrendReport): string {
  if (runs.length === 0) return 'There are no runs yet.';
  const rows = runs.map(({ run, createdAt, status, measures }) => [
    ...[run, createdAt.slice(0, 16).replace('T', ' '), status, scoreText(measures.coordination)],
    `${measures.compatibility.open} open`,
    `${measures.evidence.proven}/${measures.evidence.claims}`,
    `${measures.requirements.confirmed}/${measures.requirements.criteria}`,
  ]);
  const cells = [
    ['run', 'started', 'status', 'coordination', 'compatibility', 'evidence', 'requirements'],
    ...rows,
  ];
  const widths =
    cells[0]?.map((_, column) => Math.max(0, ...cells.map((row) => row[column]?.length ?? 0))) ?? [];
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
