/** `npm run build`: builds what the published package runs. A checkout never needs it. */
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type ChunkingContext, type OutputChunk, rolldown } from 'rolldown';
import { bundleOf, flatIn } from './bundle.ts';
import { root } from './root.ts';

/** Where the published programs are. */
const target = join(root, 'dist', 'joinery');

const programs = [
  'cli/main',
  'check/examine/examine-thread',
  'grounding/judge/judge-thread',
  'code/extraction/parser-program',
  'check/typecheck/typescript/checker-process',
];
/** Started without bundling. */
const plain = ['process/guard.js', 'process/sweep.js'];

/** Packages whose code is in the built pages. */
const pagePackages = [
  '@dagrejs/dagre',
  '@dagrejs/graphlib',
  '@tanstack/react-virtual',
  '@tanstack/virtual-core',
  '@xyflow/react',
  '@xyflow/system',
  'classcat',
  'gitdiff-parser',
  'react',
  'react-diff-view',
  'react-dom',
  'scheduler',
  'zustand',
];

/** Folders with texts that programs read from beside them. */
const texts = ['agents/prompt/roles', 'planning/spec/templates', 'workflow/catalogue/workflows'];

/** Modules that are loaded together, in loading order. Loading a file costs Node as much as a lot of code in it. */
const stages = ['cli/main', 'cli/commands/check', 'code/extraction/extraction', 'check/examine/examine'];

rmSync(join(root, 'dist'), { recursive: true, force: true });
const bundle = await rolldown({
  ...bundleOf(programs.map((path) => join(root, 'src', `${path}.ts`))),
  // Lets chunks import from a program what it does not export itself.
  preserveEntrySignatures: 'allow-extension',
});
const { output } = await bundle.write({
  ...flatIn(target),
  codeSplitting: {
    groups: [{ name: stageOf(), debugName: 'stages', includeDependenciesRecursively: false }],
  },
});
for (const path of plain) cpSync(join(root, 'src', path), join(target, nameOf(path)));
for (const path of texts) cpSync(join(root, 'src', path), join(target, nameOf(path)), { recursive: true });
for (const mode of ['pages', 'file'])
  execFileSync(
    process.execPath,
    [join(root, 'node_modules/vite/bin/vite.js'), 'build', 'web', '--mode', mode, '--logLevel', 'error'],
    {
      cwd: root,
    },
  );
writeFileSync(
  join(root, 'dist', 'THIRD-PARTY-LICENSES'),
  licences(
    output.filter((file) => file.type === 'chunk'),
    pagePackages,
  ),
);

/** The first stage that loads a module eagerly; null for modules that are loaded on demand. */
function stageOf(): (id: string, graph: ChunkingContext) => string | null {
  const known = new Map<string, string>();
  const walk = (id: string, stage: string, graph: ChunkingContext) => {
    if (known.has(id)) return;
    known.set(id, stage);
    for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) walk(imported, stage, graph);
  };
  return (id, graph) => {
    if (known.size === 0)
      for (const stage of stages) walk(join(root, 'src', `${stage}.ts`), nameOf(stage), graph);
    return known.get(id) ?? null;
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Licences of every package whose code is in the bundle. */
function licences(chunks: readonly OutputChunk[], others: readonly string[]): string {
  const folders = [
    ...chunks.flatMap(({ moduleIds }) => moduleIds).flatMap((id) => packageFolder(id) ?? []),
    ...others.map((name) => join(root, 'node_modules', name)),
  ];
  const texts = [...new Set(folders)].sort().map((folder) => {
    const name = folder.slice(folder.lastIndexOf('node_modules') + 'node_modules'.length + 1);
    return `${name}\n\n${licenceOf(name, folder)}\n`;
  });
  return texts.join('\n\n');
}

/** The innermost package that a module belongs to; null for our own modules. */
function packageFolder(id: string): string | null {
  const between = `${sep}node_modules${sep}`;
  const at = id.lastIndexOf(between);
  if (at < 0) return null;
  const inside = id.slice(at + between.length).split(sep);
  return join(id.slice(0, at), between, ...inside.slice(0, inside[0]?.startsWith('@') ? 2 : 1));
}

/** The text of the licence; if a package ships none, its name from the manifest. */
function licenceOf(name: string, folder: string): string {
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file !== undefined) return readFileSync(join(folder, file), 'utf8').trim();
  const { license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof license !== 'string') throw new Error(`${name} is taken in and names no licence`);
  return `Licence: ${license}. Author: ${typeof author === 'string' ? author : (author?.name ?? 'see its repository')}`;
}
