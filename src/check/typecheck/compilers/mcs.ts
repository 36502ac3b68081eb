import { diagnosticAt, type TreeCompiler } from './compiler.ts';
import { sourceList } from './source-list.ts';

/** Mono's C# compiler: it reads neither project files nor analysers. */
export const mcs: TreeCompiler = {
  name: 'mcs',
  program: 'mcs',
  version: ['--version'],
  reads: 'tree',
  costs: { start: 2, megabyte: 4 },
  isSource: (path) => path.endsWith('.cs'),
  isSetting: () => false,
  runs(paths, { output }) {
    const list = sourceList('mcs.args', paths);
    return [
      {
        folder: '',
        list,
        args: [
          '-target:library',
          '-langversion:latest',
          '-nowarn:all',
          `-out:${output}/union.dll`,
          `@${list.name}`,
        ],
      },
    ];
  },
  // It reports what it could not parse or load, and reads the rest.
  stopped: (code, output) =>
    code > 1 || /^(?:Unhandled Exception|Stacktrace)/m.test(output) ? (output.split('\n', 1)[0] ?? '') : null,
  read(output) {
    const found = [...output.matchAll(/^(\S.*?\.cs)\((\d+),(\d+)(?:,\d+,\d+)?\): error (CS\d+): (.*)$/gm)];
    return found.map(([, file = '', line, column, code = '', message = '']) =>
      diagnosticAt(file, Number(line), Number(column), code, message),
    );
  },
};
