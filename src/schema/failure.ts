import { z } from 'zod';

/** Why an attempt failed. Code decides it from recorded facts, never a model. */
export const failureClasses = {
  'context-cut': 'what the agent needed did not fit into its context',
  'exploration-death': 'it looked around and wrote nothing',
  'ambiguous-spec': 'the task leaves open what is wanted',
  'missing-dependency': 'something the work needs is not there',
  'scope-wrong': 'the declared files do not fit the task',
  'turn-exhaustion': 'it ran into its limit',
  'implementation-error': 'the work does not hold',
  timeout: 'it took too long',
  'api-error': "the model's API failed",
  crash: 'the agent broke down',
  denied: 'it was not allowed to do what it tried',
  'no-handoff': 'it did not say what it did',
  conflict: 'its text does not merge with work accepted before it',
} as const;

const [first, ...others] = Object.keys(failureClasses) as [FailureClass, ...FailureClass[]];
type FailureClass = keyof typeof failureClasses;

export const Failure = z.object({
  class: z.enum([first, ...others]),
  why: z.string().describe('Evidence for the classification.'),
});
export type Failure = z.infer<typeof Failure>;
