import { basename } from 'node:path';
import type { InputOptions, OutputOptions } from 'rolldown';
import { root } from './root.ts';

/** With native parts, or with files of their own: installed, not taken in. */
const installed = [
  /^oxc-parser/,
  /^web-tree-sitter/,
  /^@vscode\/tree-sitter-wasm/,
  /^libpg-query/,
  /^typescript/,
  /^yaml/,
];

/** How programs are linked into few files: Node takes its time for each, and V8 looks up each name across modules. */
export function bundleOf(programs: readonly string[]): InputOptions {
  return {
    cwd: root,
    input: Object.fromEntries(programs.map((path) => [basename(path, '.ts'), path])),
    platform: 'node',
    external: installed,
    // Of packages that come in two forms, the one that is linked and not run.
    resolve: { mainFields: ['module', 'main'] },
  };
}

/** Flat: programs and helpers are found beside the file that starts them, in `src` as here. */
export function flatIn(folder: string): OutputOptions {
  return {
    dir: folder,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
    plugins: [{ name: 'builtins', renderChunk: takeBuiltins }],
  };
}

/** A builtin that is imported has all its getters called, which loads modules that are not needed. The bundler writes one line each. */
function takeBuiltins(code: string): string {
  return code.replace(
    /^import \{(.*)\} from ("node:.*");$/gm,
    (_, names: string, id: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule(${id});`,
  );
}
