import { createRequire } from 'node:module';
import { join } from 'node:path';
import type * as TypeScript from 'typescript-5.9';
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

/** `matchFiles` exists since 2.0 but is undocumented: it applies `include` to any file system. */
type Compiler = typeof TypeScript & {
  matchFiles(
    path: string,
    extensions: readonly string[] | undefined,
    excludes: readonly string[] | undefined,
    includes: readonly string[] | undefined,
    useCaseSensitiveFileNames: boolean,
    currentDirectory: string,
    depth: number | undefined,
    entriesOf: (path: string) => { files: readonly string[]; directories: readonly string[] },
    realpath: (path: string) => string,
  ): string[];
};

/** TypeScript 4 to 6: a JavaScript program, with a host that reads the tree. */
export function openClassic(packageDir: string, files: VirtualFiles): TypeChecker {
  const libraries = join(packageDir, 'lib');
  const compiler = createRequire(import.meta.url)(join(libraries, 'typescript.js')) as Compiler;
  return new ClassicChecker(compiler, libraries, files);
}

class ClassicChecker implements TypeChecker {
  readonly version: string;
  readonly #ts: Compiler;
  readonly #libraries: string;
  readonly #files: VirtualFiles;
  readonly #configs: ConfigFiles;
  readonly #lines = new LineIndex();
  readonly #sources = new Map<string, { text: string; format: unknown; source: TypeScript.SourceFile }>();
  readonly #programs = new Map<string, TypeScript.Program>();

  constructor(ts: Compiler, libraries: string, files: VirtualFiles) {
    this.version = ts.version;
    this.#ts = ts;
    this.#libraries = libraries.replaceAll('\\', '/');
    this.#files = files;
    this.#configs = new ConfigFiles(files);
  }

  moveTo(_changes: FileChanges): void {
    // Every check builds a new program and reuses what has the same text.
  }

  check({ project, focus, changed }: CheckRequest): Checked {
    const { program, configured } = this.#build(this.#files.absolute(project));
    const inProgram = (file: string) => program.getSourceFile(this.#files.absolute(file));
    if (changed && !changed.some((file) => inProgram(file)))
      return { relevant: false, diagnostics: [], rejected: null };
    const settings = this.#raw(project, [...configured, ...program.getOptionsDiagnostics()]);
    const sources = focus ? focus.flatMap((file) => inProgram(file) ?? []) : [undefined];
    const inFiles = sources.flatMap((source) => this.#diagnose(program, source));
    return {
      relevant: true,
      diagnostics: uniqueDiagnostics([...settings, ...this.#raw(project, inFiles)]),
      rejected: rejection(settings),
    };
  }

  #build(config: string): { program: TypeScript.Program; configured: readonly TypeScript.Diagnostic[] } {
    const ts = this.#ts;
    const unreadable: TypeScript.Diagnostic[] = [];
    const parsed = ts.getParsedCommandLineOfConfigFile(config, undefined, {
      ...this.#reads(),
      readFile: (path) => this.#configs.read(path) ?? undefined,
      useCaseSensitiveFileNames: true,
      getCurrentDirectory: () => this.#files.root,
      onUnRecoverableConfigFileDiagnostic: (diagnostic) => unreadable.push(diagnostic),
    });
    if (!parsed) return { program: ts.createProgram([], {}, this.#host({})), configured: unreadable };
    const old = this.#programs.get(config);
    const program = ts.createProgram({
      rootNames: parsed.fileNames,
      options: parsed.options,
      ...(parsed.projectReferences ? { projectReferences: parsed.projectReferences } : {}),
      host: this.#host(parsed.options),
      ...(old ? { oldProgram: old } : {}),
    });
    this.#programs.set(config, program);
    return { program, configured: [...parsed.errors, ...unreadable] };
  }

  #reads() {
    return {
      fileExists: (path: string) => this.#files.hasFile(path) ?? this.#files.disk.hasFile(path),
      readFile: (path: string) => this.#read(path),
      readDirectory: (
        path: string,
        extensions?: readonly string[],
        excludes?: readonly string[],
        includes?: readonly string[],
        depth?: number,
      ) =>
        this.#ts.matchFiles(
          path,
          extensions,
          excludes,
          includes,
          true,
          this.#files.root,
          depth,
          (folder) => this.#files.list(folder) ?? this.#files.disk.list(folder),
          (each) => this.#files.realpath(each) ?? this.#files.disk.realpath(each),
        ),
    };
  }

  #read(path: string): string | undefined {
    const text = this.#files.read(path);
    return (text === undefined ? this.#files.disk.read(path) : text) ?? undefined;
  }

  #host(options: TypeScript.CompilerOptions): TypeScript.CompilerHost {
    const ts = this.#ts;
    const host: TypeScript.CompilerHost & { useSourceOfProjectReferenceRedirect(): boolean } = {
      ...this.#reads(),
      getSourceFile: (path, languageVersion) => this.#source(path, languageVersion),
      getDefaultLibFileName: () => `${this.#libraries}/${ts.getDefaultLibFileName(options)}`,
      getDefaultLibLocation: () => this.#libraries,
      writeFile: () => {},
      getCurrentDirectory: () => this.#files.root,
      getCanonicalFileName: (path) => path,
      useCaseSensitiveFileNames: () => true,
      getNewLine: () => '\n',
      directoryExists: (path) => this.#files.hasFolder(path) ?? this.#files.disk.hasFolder(path),
      getDirectories: (path) => [...(this.#files.list(path) ?? this.#files.disk.list(path)).directories],
      realpath: (path) => this.#files.realpath(path) ?? this.#files.disk.realpath(path),
      // A referenced project is checked by its sources: nothing was built.
      useSourceOfProjectReferenceRedirect: () => true,
    };
    return host;
  }

  /** The same object for the same text, so that programs reuse it. */
  #source(
    path: string,
    languageVersion: TypeScript.ScriptTarget | TypeScript.CreateSourceFileOptions,
  ): TypeScript.SourceFile | undefined {
    const text = this.#read(path);
    if (text === undefined) return undefined;
    const format = JSON.stringify(languageVersion, (key, value) =>
      key === 'setExternalModuleIndicator' ? undefined : value,
    );
    const known = this.#sources.get(path);
    if (known?.text === text && known.format === format) return known.source;
    const source = this.#ts.createSourceFile(path, text, languageVersion);
    this.#sources.set(path, { text, format, source });
    return source;
  }

  #diagnose(
    program: TypeScript.Program,
    source: TypeScript.SourceFile | undefined,
  ): readonly TypeScript.Diagnostic[] {
    const { declaration, composite } = program.getCompilerOptions();
    return [
      ...program.getSyntacticDiagnostics(source),
      ...(source ? [] : program.getGlobalDiagnostics()),
      ...program.getSemanticDiagnostics(source),
      ...(declaration || composite ? program.getDeclarationDiagnostics(source) : []),
    ];
  }

  /** Errors in files of the tree. Errors in packages belong to no branch. */
  #raw(project: string, diagnostics: readonly TypeScript.Diagnostic[]): RawDiagnostic[] {
    const ts = this.#ts;
    return diagnostics.flatMap(({ category, code, messageText, file: source, start = 0, length = 0 }) => {
      if (category !== ts.DiagnosticCategory.Error) return [];
      const message = ts
        .flattenDiagnosticMessageText(messageText, '\n')
        .replaceAll(`${this.#files.root}/`, '');
      if (!source) return [{ file: project, line: 1, column: 1, endLine: 1, code, message, text: '' }];
      const file = this.#files.inside(source.fileName);
      if (file === undefined) return [];
      // The compiler got a reduced config file, with the same positions.
      const text = this.#files.read(source.fileName) ?? source.text;
      return [{ file, code, message, ...this.#lines.range(file, text, start, start + length) }];
    });
  }
}
