import type { Candidate, Operator } from '../operator.ts';

/** Both sides add a function with the same name to one file, A after the imports, B at the end. */
export const duplicateDefinition: Operator = {
  name: 'duplicate definition',
  rule: 'S17',
  oracle: 'types',
  *candidates(project, random): Iterable<Candidate> {
    const paths = [...project.facts.keys()].filter((path) => project.text(path).split('\n').length > 40);
    for (const path of random.shuffled(paths)) {
      const text = project.text(path);
      const own = project.facts.get(path);
      const first = own?.definitions.find(
        ({ container, decorators }) => container === null && decorators.length === 0,
      );
      const name = random.shuffled(['formatLabel', 'isPresent', 'toKey', 'describeState'])[0] ?? 'toKey';
      if (!first || first.line < 3 || project.countOf(name) > 0) continue;
      const added = (fresh: string, sign: string) =>
        `export function ${fresh}(input: string): string {\n  return input ${sign} 'x';\n}\n`;
      const a = new Map([[path, afterImports(text, added(name, '+'))]]);
      const appended = (fresh: string) => new Map([[path, `${text.trimEnd()}\n\n${added(fresh, '||')}`]]);
      yield {
        a,
        b: appended(name),
        twin: { a, b: appended(`${name}Again`) },
        consumerFile: path,
        symbol: name,
      };
    }
  },
};

/** After the last import line; at the top if there is none. */
function afterImports(text: string, added: string): string {
  const lines = text.split('\n');
  const last = lines.findLastIndex(
    (line) => /^(import\b.*|\} )from\s+['"]/.test(line) || /^\} from ['"]/.test(line),
  );
  return [...lines.slice(0, last + 1), '', added.trimEnd(), ...lines.slice(last + 1)].join('\n');
}
