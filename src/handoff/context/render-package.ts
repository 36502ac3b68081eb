import type { AgentPackage } from '#schema/agent-package.ts';
import { fitByPriority } from './fit-by-priority.ts';

/** UTF-8 bytes of a package. */
export const packageBytes = 8192;

/** What one agent tells another that works for it, under fixed headings. */
export function renderPackage(given: AgentPackage): string {
  const { goal, whyThisMatters, knownFacts, alreadyRuledOut, constraints, definitionOfDone, budget } = given;
  return fitByPriority(
    [
      { title: 'Goal', priority: 1, lines: [goal] },
      { title: 'Done when', priority: 1, lines: definitionOfDone },
      { title: 'Constraints', priority: 1, lines: constraints },
      { title: 'Known', priority: 2, lines: knownFacts },
      { title: 'Ruled out', priority: 2, lines: alreadyRuledOut },
      { title: 'Why this matters', priority: 3, lines: whyThisMatters === undefined ? [] : [whyThisMatters] },
      { title: 'Budget', priority: 3, lines: budget === undefined ? [] : [budget] },
    ],
    packageBytes,
  );
}
