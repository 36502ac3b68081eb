import type { Diagnostic } from '#check/typecheck/diagnostics/diagnostic-keys.ts';

/** A compiler that reads sources and runs none of them. */
export type Compiler = TreeCompiler | FileCompiler;

interface AnyCompiler {
  /** Its name in reports: `go vet`. */
  readonly name: string;
  /** Searched on PATH. */
  readonly program: string;
  /** The arguments that print its version. */
  readonly version: readonly string[];
  isSource(path: string): boolean;
}

/** Reads all sources of a tree at once, types included. */
export interface TreeCompiler extends AnyCompiler {
  readonly reads: 'tree';
  /** CPU seconds to start, and for each megabyte of sources: a rough guess. */
  readonly costs: { readonly start: number; readonly megabyte: number };
  /** Files that it reads besides sources: `go.mod`. */
  isSetting(path: string): boolean;
  /** A setting as written for the compiler: only what is known to be harmless. */
  reduced?(path: string, text: string): string;
  /** One run for each folder that it has to be started in. */
  runs(paths: readonly string[], rooms: CompilerRooms): CompilerCommand[];
  /** The diagnostics of a run, with paths as printed; null when it failed before compiling. */
  read(output: string): Diagnostic[] | null;
  /** The same run without a limit, for one that prints only the first error of each package: asked where there was one. */
  deeper?(command: CompilerCommand): CompilerCommand;
  /** Why a run that printed diagnostics still looked at only a part of the sources; null: it looked at all of them. */
  stopped(code: number, output: string): string | null;
}

/** Reads one file at a time, from stdin, and finds only errors within that file. */
export interface FileCompiler extends AnyCompiler {
  readonly reads: 'file';
  readonly args: readonly string[];
  read(output: string): Omit<Diagnostic, 'file' | 'text'> | null;
}

/** Joinery's folders that a compiler may write to. */
interface CompilerRooms {
  /** Empty before each tree. */
  readonly output: string;
  /** Kept between checks. */
  readonly cache: string;
}

export interface CompilerCommand {
  /** Folder of the tree; '' is the root. */
  readonly folder: string;
  readonly args: readonly string[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Arguments in a file: a command line is too short for all paths. */
  readonly list?: { readonly name: string; readonly text: string };
}

export function diagnosticAt(
  file: string,
  line: number,
  column: number,
  code: string,
  message: string,
): Diagnostic {
  return { file, line, column, endLine: line, code, message, text: '' };
}
