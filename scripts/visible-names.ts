import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-5.9';
import { root } from './root.ts';

/**
 * What code sees without an import, one table per language: `src/code/languages/<language>/visible.ts`. `npm run visible-names` writes the
 * tables again. A tool chain that is installed prints its own list; the names that it had before and that another version may have are kept,
 * because a name too many only makes `check` silent.
 */
interface Table {
  readonly language: string;
  /** Where the list comes from, as it stands above the table. */
  readonly from: string;
  /** Null: the tool chain is not installed here. */
  names(): readonly string[] | null;
}

/** What a program prints, in words; null when it is not installed. */
function wordsOf(program: string, args: readonly string[]): string[] | null {
  const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.split(/\s+/).filter((word) => word !== '') : null;
}

/** The public types of `java.lang`: `jimage` lists the classes, `javap` tells which are public. */
function javaLang(): string[] | null {
  const home = spawnSync('java', ['-XshowSettings:properties', '-version'], { encoding: 'utf8' }).stderr;
  const at = /java\.home = (.*)/.exec(home ?? '')?.[1];
  if (at === undefined) return null;
  const listed = wordsOf('jimage', [
    'list',
    '--include',
    'regex:/java.base/java/lang/[^/]+',
    join(at, 'lib/modules'),
  ]);
  const classes = listed?.flatMap((word) => /^java\/lang\/(\w+)\.class$/.exec(word)?.[1] ?? []) ?? [];
  const { stdout } = spawnSync('javap', ['-public', ...classes.map((name) => `java.lang.${name}`)], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return [...stdout.matchAll(/^public .*?\b(?:class|interface|enum) java\.lang\.(\w+)/gm)].map(
    ([, name = '']) => name,
  );
}

/** The preludes of all editions, from the documentation that comes with Rust. */
function rustPrelude(): string[] | null {
  const page = (path: string) => {
    try {
      return readFileSync(join(docs, path), 'utf8').replaceAll(/<[^>]+>/g, '');
    } catch {
      return '';
    }
  };
  const docs = join(wordsOf('rustc', ['--print', 'sysroot'])?.[0] ?? '', 'share/doc/rust/html');
  const pages = ['std/prelude/v1', 'core/prelude/rust_2021', 'core/prelude/rust_2024'].map((each) =>
    page(`${each}/index.html`),
  );
  const all = pages.flatMap((text) =>
    [...text.matchAll(/pub use ((?:\w+::)+)(\w+);/g)].map(([, path = '', name = '']) => ({ path, name })),
  );
  // Macros are no uses; `Debug` is a macro alone, `Clone` is listed as a macro and as a trait.
  const isMacro = ({ path, name }: (typeof all)[number]) =>
    /^core::prelude|^crate::$|macros_only/.test(path) &&
    (/^[a-z]/.test(name) || all.filter((each) => each.name === name).length < 2);
  return all.length === 0 ? null : all.filter((each) => !isMacro(each)).map(({ name }) => name);
}

/** Pages about types that have no name. */
const concepts = new Set('array fn never pointer reference tuple unit'.split(' '));

function rustPrimitives(): string[] {
  const sysroot = wordsOf('rustc', ['--print', 'sysroot'])?.[0] ?? '';
  try {
    const page = readFileSync(join(sysroot, 'share/doc/rust/html/std/index.html'), 'utf8');
    const all = [...page.matchAll(/href="primitive\.(\w+)\.html"/g)].map(([, name = '']) => name);
    return all.filter((name) => !concepts.has(name));
  } catch {
    return [];
  }
}

/** What a file of TypeScript's library declares for everyone. */
function declaredIn(file: string): string[] {
  const path = join(root, 'node_modules/typescript-5.9/lib', file);
  const source = ts.createSourceFile(file, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest);
  return source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement))
      return statement.declarationList.declarations.flatMap(({ name }) =>
        ts.isIdentifier(name) ? name.text : [],
      );
    const isNamed =
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement) ||
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isModuleDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });
}

const javascript = () => [
  ...Object.getOwnPropertyNames(globalThis),
  ...ts.sys
    .readDirectory(join(root, 'node_modules/typescript-5.9/lib'), ['.ts'])
    .map((path) => path.replace(/^.*\//, ''))
    .filter((file) => /^lib\.(?:es|decorators)[\w.]*\.d\.ts$/.test(file))
    .flatMap(declaredIn),
];

const tables: readonly Table[] = [
  { language: 'java', from: 'public types of java.lang: jimage list, javap', names: javaLang },
  {
    language: 'rust',
    from: "the preludes and the primitive types: Rust's own documentation (rustup doc)",
    names: () => {
      const prelude = rustPrelude();
      return prelude && [...prelude, ...rustPrimitives(), 'Self', 'std', 'core', 'alloc'];
    },
  },
  {
    language: 'python',
    from: 'dir(builtins) of an interpreter, and what every module and class body has',
    names: () => wordsOf('python3', ['-c', 'import builtins; print(*dir(builtins))']),
  },
  {
    language: 'typescript',
    from: "Object.getOwnPropertyNames(globalThis) of Node, TypeScript's ES libraries, and by hand what browsers, Bun and Deno add",
    names: javascript,
  },
  {
    language: 'ruby',
    from: 'Object.constants of Ruby and of the libraries that come with it',
    names: () => wordsOf('ruby', ['-e', 'puts Object.constants']),
  },
  {
    language: 'php',
    from: 'get_declared_classes and get_declared_interfaces, for files without a namespace',
    names: () =>
      wordsOf('php', [
        '-n',
        '-r',
        'echo implode(" ", array_merge(get_declared_classes(), get_declared_interfaces()));',
      ]),
  },
  {
    language: 'go',
    from: 'the universe block: go doc builtin',
    names: () => {
      const text = spawnSync('go', ['doc', '-all', 'builtin'], { encoding: 'utf8' });
      if (text.status !== 0) return null;
      return [...text.stdout.matchAll(/^(?:type|func|var|const)? *([a-z]\w*)\b/gm)].map(
        ([, name = '']) => name,
      );
    },
  },
  {
    language: 'csharp',
    from: 'public types of the namespaces that the SDK imports without being asked: dotnet has no list, so they are kept by hand',
    names: () => null,
  },
];

const isIdentifier = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
const widest = 138;

/** Sorted, in lines as long as the code around them. */
function written({ language, from }: Table, names: ReadonlySet<string>): string {
  const lines: string[] = [];
  let line = ' ';
  for (const name of [...names].sort()) {
    if (`${line} ${name}`.length > widest) {
      lines.push(line);
      line = ' ';
    }
    line += ` ${name}`;
  }
  lines.push(line);
  return [
    `/** What ${language === 'typescript' ? 'JavaScript and TypeScript see' : 'a file sees'} without an import. Written by scripts/visible-names.ts: ${from}. */`,
    'export const visible: ReadonlySet<string> = new Set(',
    '  `',
    ...lines,
    '  `',
    '    .trim()',
    '    .split(/\\s+/),',
    ');',
    '',
  ].join('\n');
}

export async function writeVisibleNames(): Promise<void> {
  for (const table of tables) {
    const file = join(root, 'src/code/languages', table.language, 'visible.ts');
    const { visible } = (await import(pathToFileURL(file).href)) as { visible: ReadonlySet<string> };
    const printed = table.names();
    const all = new Set([...visible, ...(printed ?? [])].filter((name) => isIdentifier.test(name)));
    writeFileSync(file, written(table, all));
    const how =
      printed === null ? 'kept: its tool chain is not installed' : `${printed.length} names printed`;
    console.log(`${table.language}: ${all.size} names, ${how}`);
  }
}

if (import.meta.main) await writeVisibleNames();
