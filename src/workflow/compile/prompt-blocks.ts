import { nearest } from '#lib/nearest.ts';
import type { PromptBlocks, PromptValue } from '#schema/workflow.ts';
import { canonicalTexts, features } from './canon.ts';

/** The blocks with the additions of the workflow's features. */
export function withFeatures(blocks: PromptBlocks, names: readonly string[]): PromptBlocks {
  const added = names.flatMap((name) => features.get(name) ?? []);
  const whole: PromptBlocks = { ...blocks };
  for (const key of ['constraints', 'procedure', 'verify'] as const) {
    const more = added.flatMap((each) => each[key] ?? []);
    if (more.length > 0) whole[key] = [...(blocks[key] ?? []), ...more];
  }
  return whole;
}

/** In a fixed order, whatever the order in the file. */
export function renderBlocks(blocks: PromptBlocks): string {
  const sections = [
    section('Goal', blocks.goal === undefined ? [] : [textOf(blocks.goal)]),
    section(
      'Constraints',
      (blocks.constraints ?? []).map((value) => `- ${textOf(value)}`),
    ),
    section(
      'Procedure',
      (blocks.procedure ?? []).map((value, index) => `${index + 1}. ${textOf(value)}`),
    ),
    section(
      'Output Required',
      Object.entries(blocks.outputRequired ?? {}).map(([key, value]) => `- **${key}**: ${textOf(value)}`),
    ),
    section(
      'Verify',
      (blocks.verify ?? []).map((value) => `- ${textOf(value)}`),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n${lines.join('\n')}`;
}

function textOf(value: PromptValue): string {
  if (typeof value === 'string') return value;
  return value
    .map((part) => (part.kind === 'text' ? part.text : (canonicalTexts.get(part.refId) ?? '')))
    .join('');
}

/** References to texts that do not exist. */
export function unknownRefs(blocks: PromptBlocks): string[] {
  const values = [
    blocks.goal,
    ...(blocks.constraints ?? []),
    ...(blocks.procedure ?? []),
    ...(blocks.verify ?? []),
    ...Object.values(blocks.outputRequired ?? {}),
  ];
  return values.flatMap((value) =>
    typeof value === 'object'
      ? value.flatMap((part) =>
          part.kind === 'ref' && !canonicalTexts.has(part.refId) ? [unknown('text', part.refId)] : [],
        )
      : [],
  );

  function unknown(what: string, name: string): string {
    const meant = nearest(name, canonicalTexts.keys());
    return `there is no ${what} ${JSON.stringify(name)}${meant === null ? '' : `; did you mean "${meant}"?`}`;
  }
}
