import { basename } from 'node:path';
import type { InputOptions, OutputOptions } from 'rolldown';
import { root } from './root.ts';

/** Packages with native parts or data files: installed, not bundled. */
const installed = [
  /^oxc-parser/,
  /^web-tree-sitter/,
  /^@vscode\/tree-sitter-wasm/,
  /^libpg-query/,
  /^typescript/,
  /^yaml/,
];

/** Links programs into few files: Node takes time for each file, and V8 for each name across modules. */
export function bundleOf(programs: readonly string[]): InputOptions {
  return {
    cwd: root,
    input: Object.fromEntries(programs.map((path) => [basename(path, '.ts'), path])),
    platform: 'node',
    external: installed,
    // Of packages with two formats, prefer the one that can be linked statically.
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

/** Importing a builtin calls all its getters, which loads unneeded modules. The bundler writes one import line each. */
function takeBuiltins(code: string): string {
  return code.replace(
    /^import \{(.*)\} from ("node:.*");$/gm,
    (_, names: string, id: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = process.getBuiltinModule(${id});`,
  );
}
