import type { FunctionDefinition, StandardStep, Workflow } from '#schema/workflow.ts';
import { blocking, type Path, type Problem } from '#workflow/language/problem.ts';
import { unknownName } from './check-steps.ts';
import { isLoop, type Located } from './located.ts';

/** Functions are named texts; a call must name an existing one and match its parameters. */
export function checkFunctions(workflow: Workflow, all: readonly Located[]): Problem[] {
  const ofLoops = all.filter(isLoop).flatMap(({ step }) => step.functionDefinitions ?? []);
  const shared = [...(workflow.functionDefinitions ?? []), ...ofLoops];
  return all.flatMap((located) => {
    if (isLoop(located)) return [];
    const {
      functionReferences = [],
      functionCalls = [],
      functionDefinitions = [],
    } = located.step as StandardStep;
    const known = new Map([...shared, ...functionDefinitions].map((each) => [each.name, each]));
    return [
      ...functionReferences.flatMap((name, at) =>
        known.has(bare(name))
          ? []
          : [
              blocking(
                [...located.path, 'functionReferences', at],
                'unknown-function',
                unknownName('function', bare(name), known.keys()),
              ),
            ],
      ),
      ...functionCalls.flatMap(({ name, args }, at) => {
        const path = [...located.path, 'functionCalls', at];
        const definition = known.get(name);
        if (!definition)
          return [
            blocking([...path, 'name'], 'unknown-function', unknownName('function', name, known.keys())),
          ];
        return checkCall(definition, args, path);
      }),
    ];
  });
}

/** `name()` is the same reference as `name`. */
export function bare(name: string): string {
  return name.replace(/\(\)$/, '');
}

function checkCall(
  { parameters = [] }: FunctionDefinition,
  args: Readonly<Record<string, unknown>>,
  path: Path,
): Problem[] {
  return parameters.flatMap(({ name, type, required, enum: values }): Problem[] => {
    const at = [...path, 'args', name];
    const value = args[name];
    if (value === undefined) return required ? [blocking(at, 'missing-argument', 'is missing')] : [];
    const own = Array.isArray(value) ? 'array' : typeof value;
    if (own !== type) return [blocking(at, 'bad-argument', `is ${own}, not ${type}`)];
    return values && !values.includes(value as never)
      ? [
          blocking(
            at,
            'bad-argument',
            `is not one of ${values.map((each) => JSON.stringify(each)).join(', ')}`,
          ),
        ]
      : [];
  });
}
