import type { WorkflowShowReport } from '#schema/workflow-reports.ts';
import { type Branch, treeOf } from './outline-tree.ts';

/** The workflow as a Mermaid flowchart: steps, conditions as diamonds, loops as boxes around their bodies. */
export function renderMermaid({ steps }: Pick<WorkflowShowReport, 'steps'>): string {
  const tree = treeOf(steps);
  const ids = new Map(steps.map(({ id }, at) => [id, `s${at}`]));
  const lines = ['flowchart TD', '  begin([start])'];
  const edges: string[] = [];
  const open = walk(tree, [{ from: 'begin', label: '' }], '  ');
  lines.push('  finish([end])', ...edges, ...open.map((edge) => arrow(edge, 'finish')));
  return `${lines.join('\n')}\n`;

  /** Draws a list; returns the arrows that still need an end. */
  function walk(list: readonly Branch[], incoming: readonly Arrow[], indent: string): Arrow[] {
    let arrows = [...incoming];
    for (const step of list) arrows = draw(step, arrows, indent);
    return arrows;
  }

  function draw(step: Branch, incoming: readonly Arrow[], indent: string): Arrow[] {
    const id = ids.get(step.id) ?? '';
    let into = incoming;
    const around: Arrow[] = [];
    if (step.condition !== null) {
      lines.push(`${indent}${id}c{${quoted(step.condition)}}`);
      edges.push(...incoming.map((edge) => arrow(edge, `${id}c`)));
      into = [{ from: `${id}c`, label: 'yes' }];
      around.push({ from: `${id}c`, label: 'no' });
    }
    const leaving =
      step.kind === 'loop' ? drawLoop(step, id, into, indent) : drawStep(step, id, into, indent);
    return [...leaving, ...around];
  }

  function drawStep(step: Branch, id: string, into: readonly Arrow[], indent: string): Arrow[] {
    const [left, right] = shapes[step.kind];
    lines.push(`${indent}${id}${left}${quoted([step.title, ...step.notes].join('\n'))}${right}`);
    edges.push(...into.map((edge) => arrow(edge, id)));
    const target = step.jumpsTo === null ? undefined : ids.get(step.jumpsTo);
    if (target !== undefined) edges.push(`  ${id} -. jump .-> ${target}`);
    return [{ from: id, label: '' }];
  }

  function drawLoop(step: Branch, id: string, into: readonly Arrow[], indent: string): Arrow[] {
    lines.push(
      `${indent}subgraph ${id}g [${quoted(step.title)}]`,
      `${indent}  ${id}[[${quoted(step.notes.join('\n'))}]]`,
    );
    edges.push(...into.map((edge) => arrow(edge, id)));
    const left = walk(step.inside, [{ from: id, label: 'next pass' }], `${indent}  `);
    lines.push(`${indent}end`);
    edges.push(...left.map((edge) => arrow(edge, id)));
    return [{ from: id, label: 'over' }];
  }
}

interface Arrow {
  readonly from: string;
  readonly label: string;
}

const shapes = { step: ['[', ']'], parallel: ['[/', '/]'], check: ['{{', '}}'], loop: ['[[', ']]'] } as const;

function arrow({ from, label }: Arrow, to: string): string {
  return label === '' ? `  ${from} --> ${to}` : `  ${from} -- ${label} --> ${to}`;
}

/** Mermaid has only one kind of escape: numeric entities. */
function quoted(text: string): string {
  const safe = text
    .replace(/[#"<>&]/g, (character) => `#${character.codePointAt(0)};`)
    .replaceAll('\n', '<br/>');
  return `"${safe}"`;
}
