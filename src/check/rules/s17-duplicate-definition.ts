import { common, splitId } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const duplicateDefinition = {
  id: 'S17',
  name: 'duplicate-definition',
  category: 'duplicate',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'php', 'csharp', 'ruby'],
  precision: 0.98,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 31, real: 31 },
  what: 'Both branches add a definition of the same name to the same scope. The text merges; the code is invalid, or the later definition silently wins.',
  example: {
    a: ['+ def slug(title): ...        # at the top of text.py'],
    b: ['+ def slug(text): ...         # at the end of text.py'],
  },
  move: 'Keep one definition, or give one of them another name.',
  proof: ['proven'],
  owner: 'either',
  detect: {
    linked: {
      'definition-doubled': ({ problem, consumer, provider }) => {
        const [path, name] = splitId(problem.provider);
        // In a package the other definition may be in a file of its own.
        const count = problem.sites.length;
        const often = count > 1 ? `${count} times` : 'more than once';
        return {
          ...common(problem, problem.provider),
          message: `${consumer.ref} and ${provider.ref} each add ${name} to ${path}; together it is defined ${often}`,
          suggestion: 'keep one of them, or give one another name',
          provider: null,
        };
      },
    },
  },
} satisfies Rule;
