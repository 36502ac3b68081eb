import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

/** Room → rooms it may import. `*` is every room. A room may always import itself. */
export type Boundaries = Readonly<Record<string, readonly string[]>>;

interface Survey {
  readonly modules: number;
  readonly violations: readonly string[];
}

/** Reads every import below `sources` and names those that go where the boundaries do not allow. */
export function surveyImports(sources: string, boundaries: Boundaries): Survey {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  const violations = files.flatMap((file) => {
    const specifiers = readSpecifiers(file, readFileSync(join(sources, file), 'utf8'));
    return specifiers.flatMap((specifier) => {
      const complaint = judge(file, specifier, boundaries);
      return complaint ? [`${file} imports ${specifier}: ${complaint}`] : [];
    });
  });
  return { modules: files.length, violations };
}

function judge(file: string, specifier: string, boundaries: Boundaries): string | null {
  if (!specifier.startsWith('.')) return null;
  const from = roomOf(file);
  const allowed = boundaries[from];
  if (!allowed) return `${from} is not a room`;
  const target = posix.join(posix.dirname(file), specifier);
  if (target.startsWith('../')) {
    const isTestSupport = file.includes('.test.') && target.startsWith('../test/');
    return isTestSupport ? null : 'it leaves the sources';
  }
  const to = roomOf(target);
  return to === from || allowed.includes(to) || allowed.includes('*') ? null : `${from} may not import ${to}`;
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function readSpecifiers(file: string, text: string): string[] {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const specifiers = [
    ...module.staticImports.map((entry) => entry.moduleRequest.value),
    ...module.staticExports.flatMap((entry) => entry.entries.map((name) => name.moduleRequest?.value)),
    // The record holds only the place of a dynamic import's argument; a computed one cannot be judged.
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => literalIn(text.slice(start, end))),
  ].filter((specifier) => specifier !== undefined);
  // `import('./x.ts').Type` is no import for the module record.
  new Visitor({ TSImportType: (node) => specifiers.push(node.source.value) }).visit(program);
  return specifiers;
}

function literalIn(expression: string): string | undefined {
  return /^(['"`])(?<specifier>[^'"`$]*)\1$/.exec(expression)?.groups?.specifier;
}
