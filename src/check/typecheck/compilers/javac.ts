import { diagnosticAt, type TreeCompiler } from './compiler.ts';
import { sourceList } from './source-list.ts';

export const javac: TreeCompiler = {
  name: 'javac',
  program: 'javac',
  version: ['-version'],
  reads: 'tree',
  costs: { start: 2, megabyte: 5 },
  // Modules of one repository would each need a separate run; without their descriptors they are one.
  isSource: (path) => path.endsWith('.java') && !/(^|\/)(?:module|package)-info\.java$/.test(path),
  isSetting: () => false,
  runs(paths, { output }) {
    const list = sourceList('javac.args', paths);
    return [
      {
        folder: '',
        list,
        args: [
          ...['-J-Duser.language=en', '-proc:none', '-implicit:none', '-nowarn', '-Xlint:none'],
          // All errors of all files, even of files next to ones that lack a library.
          ...['-Xmaxerrs', '100000', '-XDshould-stop.ifError=FLOW', '-encoding', 'UTF-8'],
          ...['-d', output, '-cp', output, '-sourcepath', output, `@${list.name}`],
        ],
      },
    ];
  },
  read(output) {
    const starts = [...output.matchAll(/^(\S.*?\.java):(\d+): (error|warning): (.*)$/gm)];
    return starts.flatMap((match, at) => {
      const [, file = '', line, severity, message = ''] = match;
      if (severity !== 'error') return [];
      const details = output.slice(match.index, starts[at + 1]?.index);
      const caret = /^( *)\^/m.exec(details)?.[1]?.length ?? 0;
      const symbol = /^ +symbol: +(.*)$/m.exec(details)?.[1];
      const missing = /^package ([\w.]+) does not exist/.exec(message)?.[1];
      return [
        missing === undefined
          ? diagnosticAt(file, Number(line), caret + 1, 'javac:error', withSymbol(message, symbol))
          : diagnosticAt(file, Number(line), caret + 1, 'javac:import', `there is no package "${missing}"`),
      ];
    });
  },
};

function withSymbol(message: string, symbol: string | undefined): string {
  return symbol === undefined ? message : `${message}: ${symbol.replaceAll(/\s+/g, ' ')}`;
}
