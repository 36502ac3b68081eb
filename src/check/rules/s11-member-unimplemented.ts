import { common, definedPlace, splitId } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const memberUnimplemented = {
  id: 'S11',
  name: 'member-unimplemented',
  category: 'interface',
  severity: 'blocking',
  languages: ['typescript', 'python', 'go', 'java', 'rust', 'php', 'csharp'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'One branch adds a required member to an interface or abstract class; the other adds an implementation without it.',
  example: {
    a: ['  interface Storage {', '+   delete(key: string): void;'],
    b: ['+ class Bucket implements Storage { get() {} put() {} }'],
  },
  move: 'Implement the member, or make it optional.',
  proof: ['proven', 'likely'],
  owner: 'consumer',
  detect: {
    linked: {
      'member-required': ({ problem, consumer, provider }) => {
        const [, name] = splitId(problem.provider);
        const [owner = ''] = name.split('.');
        const implementer = splitId(problem.consumer)[1] || problem.file;
        return {
          ...common(problem, problem.provider),
          message: `${name} has to be implemented since ${provider.ref} added it; ${implementer} on ${consumer.ref} does not have it`,
          suggestion: `implement ${name.slice(owner.length + 1)}, or make it optional`,
          provider: definedPlace(problem),
        };
      },
    },
  },
} satisfies Rule;
