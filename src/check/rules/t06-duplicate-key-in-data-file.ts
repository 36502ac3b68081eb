import { common } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const duplicateKeyInDataFile = {
  id: 'T06',
  name: 'duplicate-key-in-data-file',
  category: 'schema',
  severity: 'blocking',
  languages: ['json', 'yaml', 'toml', 'env'],
  precision: 0.99,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'Both branches add the same key at different places of one data file. It merges cleanly, and readers silently keep one of the two values.',
  example: { a: ['+ "retry": 3,'], b: ['+ "retry": 5'] },
  move: 'Keep one entry with the value you mean.',
  proof: ['proven'],
  owner: 'either',
  detect: {
    linked: {
      'key-doubled': ({ problem, consumer, provider }) => ({
        ...common(problem, problem.provider),
        message: `${consumer.ref} and ${provider.ref} each add the key ${JSON.stringify(problem.provider.slice(problem.file.length + 1))} to ${problem.file}; one of the two entries is silently lost`,
        suggestion: 'keep one of the two entries',
        provider: null,
      }),
    },
  },
} satisfies Rule;
