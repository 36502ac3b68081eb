import { z } from 'zod';

/** Everybody who can decide. Nothing defaults to a person. */
export const Decider = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('person'),
    via: z.enum(['terminal', 'dashboard', 'link', 'login']),
    name: z.string().describe("The user's name on this machine; empty if it has none."),
  }),
  z.object({
    kind: z.literal('policy'),
    what: z.string().describe('`--land`, `run.land`, the deadline of a question.'),
    commit: z.string().nullable().describe('The commit of base it is written in; null: said at the start.'),
  }),
  z.object({
    kind: z.literal('work'),
    process: z.string().describe('The program that tried: `node run.js (pid 4711)`. It is refused.'),
    mark: z.string().describe('`<run>/<task>/<attempt>`; empty if unknown.'),
  }),
]);
export type Decider = z.infer<typeof Decider>;

/** 'ada (terminal)' */
export function describeDecider(decider: Decider): string {
  switch (decider.kind) {
    case 'person':
      return decider.name === '' ? decider.via : `${decider.name} (${decider.via})`;
    case 'policy':
      return `policy ${decider.what}${decider.commit === null ? '' : ` in ${decider.commit.slice(0, 12)}`}`;
    case 'work':
      return `work: ${decider.process}`;
  }
}
