import { dialectOf } from '#code/languages/index.ts';
import { common, splitId } from './linked/diagnosis-parts.ts';
import type { Rule } from './rule.ts';

export const ambiguousName = {
  id: 'S18',
  name: 'ambiguous-name',
  category: 'connection',
  severity: 'blocking',
  languages: ['typescript', 'javascript', 'python', 'go', 'java', 'rust', 'csharp'],
  precision: 0.96,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 16, real: 16 },
  what: 'One barrel or star import gets the same name from two modules, each added by another branch. TypeScript rejects it, JavaScript exports neither, Python silently takes the last one.',
  example: {
    a: ["+ export * from './format';    // has pad"],
    b: ["+ export * from './string';    // has pad"],
  },
  move: 'Export the wanted one by name, or rename one of them.',
  proof: ['proven', 'likely'],
  owner: 'either',
  detect: {
    linked: {
      'name-ambiguous': ({ problem, consumer, provider }) => {
        const [path, name] = splitId(problem.provider);
        const lastWins = dialectOf(path)?.names.lastStarWins === true;
        const places = problem.definedAt.map(({ file }) => file);
        return {
          ...common(problem, problem.provider),
          message: lastWins
            ? `with ${consumer.ref} and ${provider.ref} together, ${path} gets ${name} by star imports from ${places.join(' and from ')}: the last one wins`
            : `with ${consumer.ref} and ${provider.ref} together, ${path} passes on ${name} from ${places.join(' and from ')}: it is exported from neither`,
          suggestion: lastWins
            ? `import the ${name} that is meant by name, or rename one of them`
            : `export the ${name} that is meant by name, or rename one of them`,
          provider: null,
        };
      },
    },
  },
} satisfies Rule;
