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
  stopped,
  read(output) {
    const starts = [...output.matchAll(/^(\S.*?\.java):(\d+): (error|warning): (.*)$/gm)];
    return starts.flatMap((match, at) => {
      const [, file = '', line, severity, message = ''] = match;
      if (severity !== 'error') return [];
      const details = output.slice(match.index, starts[at + 1]?.index);
      const caret = /^( *)\^/m.exec(details)?.[1]?.length ?? 0;
      const symbol = /^ +symbol: +(.*)$/m.exec(details)?.[1];
      const missing = missingImport(message, details);
      return [
        missing === null
          ? diagnosticAt(file, Number(line), caret + 1, 'javac:error', withSymbol(message, symbol))
          : diagnosticAt(file, Number(line), caret + 1, 'javac:import', missing),
      ];
    });
  },
};

/** 0: compiled, 1: errors. Anything else ends it before it has looked at every method: 3 out of resources, 4 an exception inside. */
function stopped(code: number, output: string): string | null {
  if (code === 0 || code === 1) return null;
  const [said] = output.split('\n').filter((line) => /exception|error|resources/i.test(line));
  return said?.trim() ?? '';
}

/** About a package or class that an import names: javac has several wordings for it. */
function missingImport(message: string, details: string): string | null {
  const name = /^package ([\w.]+) does not exist/.exec(message)?.[1];
  if (name !== undefined) return `there is no package "${name}"`;
  const isSaid = message === 'cannot find symbol' || message.startsWith('static import only');
  const imported = /^import (?:static )?([\w.]+?)(?:\.\*)?;/m.exec(details)?.[1];
  return isSaid && imported !== undefined ? `there is no "${imported}"` : null;
}

function withSymbol(message: string, symbol: string | undefined): string {
  return symbol === undefined ? message : `${message}: ${symbol.replaceAll(/\s+/g, ' ')}`;
}
