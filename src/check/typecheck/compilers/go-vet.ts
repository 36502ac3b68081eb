import { posix } from 'node:path';
import { type CompilerCommand, diagnosticAt, type TreeCompiler } from './compiler.ts';
import { reducedGoMod } from './go-mod.ts';

const mostModules = 20;

/** Warnings of its analysers are ignored: they are about code that compiles. */
export const goVet: TreeCompiler = {
  name: 'go vet',
  program: 'go',
  version: ['version'],
  reads: 'tree',
  // The first run compiles the standard library into our cache.
  costs: { start: 15, megabyte: 6 },
  isSource: (path) => path.endsWith('.go'),
  isSetting: (path) => /(^|\/)go\.(?:mod|sum)$/.test(path),
  reduced: (path, text) =>
    path.endsWith('.mod') ? reducedGoMod(text, posix.join(posix.dirname(path), '.')) : text,
  runs(paths, { cache }) {
    const modules = paths.filter((path) => posix.basename(path) === 'go.mod').slice(0, mostModules);
    return modules.map(
      (path): CompilerCommand => ({
        folder: posix.dirname(path) === '.' ? '' : posix.dirname(path),
        // Warnings of analysers are printed as JSON: other lines are errors of the compiler.
        args: ['vet', '-json', './...'],
        variables: {
          CGO_ENABLED: '0',
          GOFLAGS: '-mod=mod',
          GOPROXY: 'off',
          GOTOOLCHAIN: 'local',
          GOENV: 'off',
          GOWORK: 'off',
          GO111MODULE: 'on',
          GOTELEMETRY: 'off',
          GOCACHE: `${cache}/go-build`,
        },
      }),
    );
  },
  // `vet` ends at the first error of a package, and an error of base would hide all that come after it.
  // Written nowhere: to a folder, go builds only programs.
  deeper: (command) => ({
    ...command,
    args: ['build', '-gcflags=-e', '-o', process.platform === 'win32' ? 'NUL' : '/dev/null', './...'],
  }),
  // `go: …` is about modules: packages that need them are not compiled.
  stopped: (code, output) =>
    code === 0 ? null : (/^go: (?!downloading|finding|extracting|warning)(.*)$/m.exec(output)?.[0] ?? null),
  read(output) {
    const found = [...output.matchAll(/^(?:vet: )?([^\s"{].*?\.go):(\d+)(?::(\d+))?: (.*)$/gm)];
    return found.flatMap(([, file = '', line, column = '1', message = '']) => {
      const missing =
        /(?:no required module provides package|cannot find module providing package|package|cannot find package) "?([\w./~-]+)"?(?: is not in (?:std|GOROOT)|;|: module lookup| in any of|$)/.exec(
          message,
        )?.[1];
      if (missing !== undefined)
        return [
          diagnosticAt(file, Number(line), Number(column), 'go:import', `there is no package "${missing}"`),
        ];
      return [diagnosticAt(file, Number(line), Number(column), 'go:vet', message)];
    });
  },
};
