import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { API, Diagnostic, Project, Snapshot } from 'typescript/unstable/sync';
import {
  type Checked,
  type CheckRequest,
  type FileChanges,
  type RawDiagnostic,
  rejection,
  type TypeChecker,
  uniqueDiagnostics,
} from './checker.ts';
import { ConfigFiles } from './config-files.ts';
import { LineIndex } from './lines.ts';
import type { VirtualFiles } from './virtual-files.ts';

const errorCategory = 1;

/** The package, and the folder of its program with the declarations of the language. */
export async function nativeFolders(packageDir: string): Promise<string[]> {
  const module = (await import(pathToFileURL(`${packageDir}/lib/getExePath.js`).href)) as {
    default: () => string;
  };
  return [packageDir, dirname(module.default())];
}

/**
 * TypeScript 7 and later: a native program that requests every file from us. Its API is not stable, so it is used only
 * here.
 */
export async function openNative(packageDir: string, files: VirtualFiles): Promise<TypeChecker> {
  const configs = new ConfigFiles(files);
  const require = createRequire(`${packageDir}/package.json`);
  const { version } = require('./package.json') as { version: string };
  const module = (await import(pathToFileURL(require.resolve('typescript/unstable/sync')).href)) as {
    API: new (options: ConstructorParameters<typeof API>[0]) => API;
  };
  const api = new module.API({
    cwd: files.root,
    fs: {
      readFile: (path) => (configs.isConfig(path) ? configs.read(path) : files.read(path)),
      fileExists: (path) => files.hasFile(path),
      directoryExists: (path) => files.hasFolder(path),
      getAccessibleEntries: (path) => files.list(path),
      realpath: (path) => files.realpath(path),
    },
  });
  return new NativeChecker(version, api, files);
}

class NativeChecker implements TypeChecker {
  readonly version: string;
  readonly #api: API;
  readonly #files: VirtualFiles;
  readonly #lines = new LineIndex();
  readonly #open = new Set<string>();
  #snapshot: Snapshot | null = null;

  constructor(version: string, api: API, files: VirtualFiles) {
    this.version = version;
    this.#api = api;
    this.#files = files;
  }

  moveTo({ created, changed, deleted }: FileChanges): void {
    const absolute = (paths: readonly string[]) => paths.map((path) => this.#files.absolute(path));
    this.#update({
      fileChanges: { created: absolute(created), changed: absolute(changed), deleted: absolute(deleted) },
    });
  }

  #update(params: Parameters<API['updateSnapshot']>[0]): Snapshot {
    const before = this.#snapshot;
    this.#snapshot = this.#api.updateSnapshot(params);
    before?.dispose();
    return this.#snapshot;
  }

  check({ project: path, focus, changed }: CheckRequest): Checked {
    const config = this.#files.absolute(path);
    const snapshot =
      this.#open.has(config) && this.#snapshot ? this.#snapshot : this.#update({ openProjects: [config] });
    this.#open.add(config);
    const project = snapshot.getProject(config);
    if (!project) throw new Error(`${path} could not be opened`);
    const names = new Set(project.program.getSourceFileNames());
    if (changed && !changed.some((file) => names.has(this.#files.absolute(file))))
      return { relevant: false, diagnostics: [], rejected: null };
    const settings = this.#raw(path, [
      ...project.program.getConfigFileParsingDiagnostics(),
      ...project.program.getProgramDiagnostics(),
    ]);
    const inFiles = focus
      ? focus
          .filter((file) => names.has(this.#files.absolute(file)))
          .flatMap((file) => this.#ofFile(project, file))
      : this.#ofAll(project);
    return {
      relevant: true,
      diagnostics: uniqueDiagnostics([...settings, ...this.#raw(path, inFiles)]),
      rejected: rejection(settings),
    };
  }

  #ofAll({ program, compilerOptions }: Project): readonly Diagnostic[] {
    const declares = compilerOptions.declaration || compilerOptions.composite;
    return [
      ...program.getSyntacticDiagnostics(),
      ...program.getBindDiagnostics(),
      ...program.getGlobalDiagnostics(),
      ...program.getSemanticDiagnostics(),
      ...(declares ? program.getDeclarationDiagnostics() : []),
    ];
  }

  #ofFile({ program, compilerOptions }: Project, path: string): readonly Diagnostic[] {
    const file = this.#files.absolute(path);
    const declares = compilerOptions.declaration || compilerOptions.composite;
    return [
      ...program.getSyntacticDiagnostics(file),
      ...program.getBindDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
      ...(declares ? program.getDeclarationDiagnostics(file) : []),
    ];
  }

  /** Errors in files of the tree. Errors in packages belong to no branch. */
  #raw(project: string, diagnostics: readonly Diagnostic[]): RawDiagnostic[] {
    return diagnostics.flatMap((diagnostic) => {
      if (diagnostic.category !== errorCategory) return [];
      const { code, fileName, pos, end } = diagnostic;
      const message = flatten(diagnostic).replaceAll(`${this.#files.root}/`, '');
      if (fileName === undefined)
        return [{ file: project, line: 1, column: 1, endLine: 1, code, message, text: '' }];
      const file = this.#files.inside(fileName);
      const text = this.#files.read(fileName);
      if (file === undefined || typeof text !== 'string') return [];
      return [{ file, code, message, ...this.#lines.range(file, text, pos, end) }];
    });
  }
}

function flatten({ text, messageChain = [] }: Diagnostic, depth = 0): string {
  const own = `${'  '.repeat(depth)}${text}`;
  return [own, ...messageChain.map((inner) => flatten(inner, depth + 1))].join('\n');
}
