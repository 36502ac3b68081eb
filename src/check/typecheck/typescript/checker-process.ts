/** A separate process, so that a compiler that crashes, hangs or floods its output does no harm. */
import { endProcess } from '#lib/end-process.ts';
import type { FileChanges, TypeChecker } from './checker.ts';
import { openClassic } from './classic-checker.ts';
import type { Answer, Request, TreeEntryMessage } from './messages.ts';
import { nativeFolders, openNative } from './native-checker.ts';
import { type VirtualEntry, VirtualFiles } from './virtual-files.ts';

/** More diagnostics than this are not reported: they carry no information about branches. */
const mostDiagnostics = 50_000;

let files = new VirtualFiles({ root: '/', packages: [], own: [] });
let checker: TypeChecker | null = null;
const texts = new Map<string, string>();
let base: ReadonlyMap<string, VirtualEntry> = new Map();
let current: ReadonlyMap<string, VirtualEntry> = new Map();

async function answer(request: Request): Promise<Answer> {
  switch (request.type) {
    case 'open': {
      const { kind, packageDir, root, packages } = request;
      const own = kind === 'native' ? await nativeFolders(packageDir) : [packageDir];
      files = new VirtualFiles({ root, packages, own });
      checker = kind === 'native' ? await openNative(packageDir, files) : openClassic(packageDir, files);
      return { type: 'opened', version: checker.version };
    }
    case 'base': {
      learn(request.blobs);
      base = new Map(request.entries.map((entry) => [entry[0], entryOf(entry)]));
      current = base;
      files.setTree(base);
      return { type: 'ready' };
    }
    case 'tree': {
      learn(request.blobs);
      const next = new Map(base);
      for (const entry of request.overlay) {
        if (entry[1] === null) next.delete(entry[0]);
        else next.set(entry[0], entryOf(entry));
      }
      const changes = between(current, next);
      current = next;
      files.setTree(next);
      checker?.moveTo(changes);
      return { type: 'ready' };
    }
    case 'check': {
      if (!checker) throw new Error('no compiler is open');
      const checked = current.has(request.project)
        ? checker.check(request)
        : { relevant: false, diagnostics: [], rejected: null };
      const found = checked.diagnostics.length;
      if (found > mostDiagnostics) throw new Error(`${found} diagnostics in ${request.project}`);
      return { type: 'checked', checked };
    }
  }
}

function learn(blobs: readonly (readonly [string, string])[]): void {
  for (const [id, text] of blobs) texts.set(id, text);
}

function entryOf([, id, kind]: TreeEntryMessage): VirtualEntry {
  return { id: id ?? '', kind, text: texts.get(id ?? '') ?? null };
}

function between(
  from: ReadonlyMap<string, VirtualEntry>,
  to: ReadonlyMap<string, VirtualEntry>,
): FileChanges {
  const created = [...to.keys()].filter((path) => !from.has(path));
  const deleted = [...from.keys()].filter((path) => !to.has(path));
  const changed = [...to].flatMap(([path, { id }]) => {
    const before = from.get(path);
    return before && before.id !== id ? [path] : [];
  });
  return { created, changed, deleted };
}

// One request at a time: the other side waits for each answer.
process.on('message', (request: Request) => {
  answer(request).then(
    (message) => process.send?.(message),
    (error: unknown) =>
      process.send?.({ type: 'failed', reason: String((error as Error)?.message ?? error) }),
  );
});
process.on('disconnect', () => endProcess(0));
