import { auditDocuments } from '#handoff/audit/audit-documents.ts';
import type { PipelineDocument } from '#handoff/audit/check-records.ts';
import type { Part } from './part.ts';
import { Random } from './random.ts';
import { judge, median, renderTable, seconds } from './table.ts';

/** The sizes of the target: 1,000 artifacts with 10,000 sections and 50,000 references. */
const whole = { artifacts: 1000, sections: 10, inputs: 40, outputs: 10 };
const limitMs = 2000;

export const handoff: Part = {
  name: 'handoff',
  summary: 'audit of many artifacts: parsing, anchors, references, edges',
  async run({ full, seed }) {
    const rounds = full ? 9 : 3;
    const sizes = [250, 500, 1000];
    const rows = sizes.map((artifacts) => {
      const documents = draw(artifacts, seed);
      const samples = Array.from({ length: rounds }, () => cpuOf(documents));
      return { artifacts, cpuMs: median(samples), references: artifacts * (whole.inputs + whole.outputs) };
    });
    const [, half, last] = rows;
    const growth = (last?.cpuMs ?? 0) / (half?.cpuMs ?? 1);
    return [
      renderTable(
        ['artifacts', 'sections', 'references', 'CPU', 'per reference'],
        rows.map(({ artifacts, references, cpuMs }) => [
          String(artifacts),
          String(artifacts * whole.sections),
          String(references),
          seconds(cpuMs),
          `${((cpuMs * 1000) / references).toFixed(1)} µs`,
        ]),
      ),
      '',
      renderTable(
        ['limit', 'measured', 'verdict'],
        [
          [
            '1,000 artifacts in at most 2 s of CPU',
            seconds(last?.cpuMs ?? 0),
            judge((last?.cpuMs ?? 0) <= limitMs),
          ],
          ['twice as many take at most 2.6 × as long', `${growth.toFixed(2)} ×`, judge(growth <= 2.6)],
        ],
      ),
    ].join('\n');
  },
};

function cpuOf(documents: readonly PipelineDocument[]): number {
  const before = process.cpuUsage();
  const report = auditDocuments({
    subject: { kind: 'folder', name: 'bench', path: '/bench' },
    documents,
    readBeside: () => 'missing',
    verify: () => ({ diff: { status: 'skipped', detail: '' }, claims: [] }),
  });
  if (report.actualEdges === 0) throw new Error('nothing was cited: the case is broken');
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function draw(artifacts: number, seed: number): PipelineDocument[] {
  const random = new Random(seed);
  const name = (n: number) => `agent${n}.md`;
  return Array.from({ length: artifacts }, (_, n) => {
    const headings = Array.from(
      { length: whole.sections - 4 },
      (_, s) => `## Section ${s}\n\nSome words of prose.\n`,
    );
    const inputs = Array.from(
      { length: whole.inputs },
      () => `- \`${name(random.below(artifacts))}#section-${random.below(whole.sections - 4)}\` → used`,
    );
    const outputs = Array.from(
      { length: whole.outputs },
      (_, s) => `- \`${name(n)}#section-${s % (whole.sections - 4)}\` → agent${random.below(artifacts)}`,
    );
    const text = [
      ...headings,
      '## Handoff Record',
      '### Inputs consumed',
      ...inputs,
      '### Outputs for next agents',
      ...outputs,
      '### Decisions NOT covered by inputs',
      '- none',
      '',
    ].join('\n');
    return { name: name(n), path: name(n), text };
  });
}
