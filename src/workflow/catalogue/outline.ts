import type { CompiledNode } from '#schema/compiled-workflow.ts';
import { type Condition, conditionOperators } from '#schema/workflow.ts';
import type { OutlineStep } from '#schema/workflow-reports.ts';

/** A workflow as a list of lines, with loops around their bodies. */
export function outlineOf(nodes: readonly CompiledNode[], depth = 0): OutlineStep[] {
  return nodes.flatMap((node) => {
    const line = {
      id: node.id,
      title: node.title,
      kind: node.kind,
      depth,
      condition: node.runCondition ? describeCondition(node.runCondition) : null,
      notes: notesOn(node),
      jumpsTo: node.kind === 'loop' ? null : (node.jumpIf?.target ?? null),
    };
    return node.kind === 'loop' ? [line, ...outlineOf(node.body, depth + 1)] : [line];
  });
}

function notesOn(node: CompiledNode): string[] {
  if (node.kind === 'loop') {
    const { type, maxIterations, items, count, source } = node.loop;
    const what =
      source.kind === 'context'
        ? describeCondition(source.condition)
        : source.kind === 'artifact'
          ? 'a step says stop'
          : `${items ?? count}`;
    const word = source.kind === 'artifact' ? 'until' : type === 'forEach' ? 'for each of' : type;
    return [`${word} ${what}, at most ${maxIterations} passes`];
  }
  return [
    ...(node.outputContract
      ? [`contract ${node.outputContract.contractRef.replace('wr.contracts.', '')}`]
      : []),
    ...node.assessmentRefs.map((ref) => `assessment ${ref}`),
    ...(node.requireConfirmation ? ['confirmation'] : []),
    ...(node.check ? [`check ${node.check.kind}`] : []),
    ...(node.delegations ? node.delegations.map(({ workflowId }) => `delegates ${workflowId}`) : []),
    ...(node.jumpIf
      ? [
          `jumps to ${node.jumpIf.target} if ${describeCondition(node.jumpIf.condition)}, at most ${node.jumpIf.maxJumps} times`,
        ]
      : []),
    ...(node.todoList.length > 0 ? [`todo list of ${node.todoList.length}`] : []),
  ];
}

const signs: Partial<Record<keyof typeof conditionOperators, string>> = {
  equals: '=',
  not_equals: '≠',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
};

function describeCondition(condition: Condition): string {
  if (condition.and) return condition.and.map(inParentheses).join(' and ');
  if (condition.or) return condition.or.map(inParentheses).join(' or ');
  if (condition.not) return `not ${inParentheses(condition.not)}`;
  if (condition.var === undefined) return 'always';
  for (const name of Object.keys(conditionOperators) as (keyof typeof conditionOperators)[]) {
    if (condition[name] !== undefined)
      return `${condition.var} ${signs[name] ?? name} ${JSON.stringify(condition[name])}`;
  }
  return condition.var;
}

function inParentheses(condition: Condition): string {
  const text = describeCondition(condition);
  return condition.and || condition.or ? `(${text})` : text;
}
