import type { PromptBlocks } from '#schema/workflow.ts';

/** Texts that workflows refer to by name, identical in every workflow. */
export const canonicalTexts: ReadonlyMap<string, string> = new Map([
  [
    'wr.refs.memory_usage',
    'If you have a memory of earlier work, ask it before you start, and store what will be needed again.',
  ],
  [
    'wr.refs.memory_store',
    'Store what is expensive to find out again: decisions with their reasons, and facts about this code.',
  ],
  ['wr.refs.memory_query', 'Ask your memory for earlier decisions about the same files and terms.'],
  [
    'wr.refs.notes_first_durability',
    'The notes you hand in are what survives. Write down what was found, decided and left open, so that a reader who has only the notes can go on.',
  ],
  [
    'wr.refs.synthesis_under_disagreement',
    'Where sources or helpers disagree, do not average. State both positions, the evidence for each, and which one you follow and why.',
  ],
  [
    'wr.refs.parallelize_cognition_serialize_synthesis',
    'Let independent questions be looked at in parallel; put the answers together yourself, one after the other.',
  ],
  [
    'wr.refs.adversarial_challenge_rules',
    'Challenge the work as if you wanted it to fail: name the strongest objection, look for the evidence that would prove it, and say plainly whether it holds.',
  ],
]);

type Addition = Pick<PromptBlocks, 'constraints' | 'procedure' | 'verify'>;

/** What a feature adds to the blocks of every step. */
export const features: ReadonlyMap<string, Addition> = new Map<string, Addition>([
  [
    'wr.features.memory_context',
    { constraints: [[{ kind: 'ref' as const, refId: 'wr.refs.memory_usage' }]] },
  ],
  [
    'wr.features.capabilities',
    {
      constraints: [
        'Do not assume that an optional tool is there: try it once.',
        'Work without a tool that is missing, and say what that costs.',
        'Never claim a result of a tool that you did not call.',
      ],
      procedure: [
        'Find out which optional tools this step could use.',
        'Use those that answer.',
        'Note those that do not.',
      ],
      verify: [
        'Every tool that was used is named.',
        'Every tool that was missing is named.',
        'No conclusion rests on a missing tool.',
      ],
    },
  ],
  [
    'wr.features.subagent_guidance',
    {
      constraints: [
        'You own the conclusion: what helpers say is evidence.',
        'Give a helper a question, what is known, and what a good answer looks like.',
        'Give one question to one helper.',
      ],
      procedure: ['Read what helpers answer critically.', 'Put the answers together yourself.'],
      verify: [
        'Disagreement between helpers is named and decided.',
        'No helper decided what was yours to decide.',
      ],
    },
  ],
]);
