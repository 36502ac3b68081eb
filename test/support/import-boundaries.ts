import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { cycles } from '#lib/graph.ts';

/** Room → rooms it may import. `*` is every room. A room may always import itself. */
export type Boundaries = Readonly<Record<string, readonly string[]>>;

interface Survey {
  readonly modules: number;
  readonly rooms: readonly string[];
  /** 'lower/static.ts imports ../upper/house.ts: lower may not import upper' */
  readonly violations: readonly string[];
  /** Folders that import each other's values, at any depth: [['code/link', 'code/resolve']]. */
  readonly cycles: readonly (readonly string[])[];
  /** Files that import each other, including types: [['lower/a.ts', 'lower/b.ts']]. */
  readonly fileCycles: readonly (readonly string[])[];
}

interface Import {
  readonly file: string;
  readonly specifier: string;
  /** Relative to the sources: 'git/trees/tree.ts'. null for packages. */
  readonly target: string | null;
  readonly isType: boolean;
}

/** Reads every import below `sources`: those the boundaries do not allow, and folders that import each other. */
export function surveyImports(sources: string, boundaries: Boundaries): Survey {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(sep).join('/'))
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  const imports = files.flatMap((file) => readImports(file, readFileSync(join(sources, file), 'utf8')));
  return {
    modules: files.length,
    rooms: [...new Set(files.filter((file) => file.includes('/')).map(roomOf))].sort(),
    violations: imports.flatMap((entry) => {
      const complaint = judge(entry, boundaries);
      return complaint ? [`${entry.file} imports ${entry.specifier}: ${complaint}`] : [];
    }),
    cycles: folderCycles(imports),
    fileCycles: fileCycles(imports),
  };
}

function judge({ file, target }: Import, boundaries: Boundaries): string | null {
  if (target === null) return null;
  const from = roomOf(file);
  const allowed = boundaries[from];
  if (!allowed) return `${from} is not a room`;
  if (target.startsWith('../')) {
    const isTestSupport = file.includes('.test.') && target.startsWith('../test/');
    return isTestSupport ? null : 'it leaves the sources';
  }
  const to = roomOf(target);
  return to === from || allowed.includes(to) || allowed.includes('*') ? null : `${from} may not import ${to}`;
}

/** Ignores tests, which may import any folder, and types, which load nothing. */
function folderCycles(imports: readonly Import[]): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { file, target, isType } of imports) {
    if (isType || target === null || target.startsWith('../') || file.includes('.test.')) continue;
    const [from, to] = [posix.dirname(file), posix.dirname(target)];
    if (from !== to) edges.set(from, (edges.get(from) ?? new Set()).add(to));
  }
  return cycles(edges);
}

function fileCycles(imports: readonly Import[]): string[][] {
  const edges = new Map<string, Set<string>>();
  for (const { file, target } of imports)
    if (target !== null && target !== file) edges.set(file, (edges.get(file) ?? new Set()).add(target));
  return cycles(edges);
}

function roomOf(file: string): string {
  return file.split('/')[0] ?? '';
}

function readImports(file: string, text: string): Import[] {
  const { module, program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file} does not parse: ${errors[0]?.message}`);
  const found: { specifier: string | undefined; isType: boolean }[] = [
    ...module.staticImports.map(({ moduleRequest, entries, start }) => ({
      specifier: moduleRequest.value,
      isType: isTypeOnly(text.slice(start), entries),
    })),
    ...module.staticExports.flatMap(({ entries, start }) =>
      entries.map((entry) => ({
        specifier: entry.moduleRequest?.value,
        isType: isTypeOnly(text.slice(start), entries),
      })),
    ),
    // The module record has only the position of a dynamic import's argument; a computed one cannot be judged.
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      specifier: literalIn(text.slice(start, end)),
      isType: false,
    })),
  ];
  // The module record does not contain `import('./x.ts').Type`.
  new Visitor({ TSImportType: ({ source }) => found.push({ specifier: source.value, isType: true }) }).visit(
    program,
  );
  return found.flatMap(({ specifier, isType }) =>
    specifier === undefined ? [] : [{ file, specifier, isType, target: targetOf(file, specifier) }],
  );
}

function isTypeOnly(statement: string, entries: readonly { isType: boolean }[]): boolean {
  return (
    /^(im|ex)port\s+type\b/.test(statement) || (entries.length > 0 && entries.every(({ isType }) => isType))
  );
}

/** The aliases of package.json: `#git/trees/tree.ts` is in src, `#test/support/joinery.ts` in test. */
function targetOf(file: string, specifier: string): string | null {
  if (specifier.startsWith('#test/')) return `../test/${specifier.slice('#test/'.length)}`;
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null;
}

function literalIn(expression: string): string | undefined {
  return /^(['"`])(?<specifier>[^'"`$]*)\1$/.exec(expression)?.groups?.specifier;
}
