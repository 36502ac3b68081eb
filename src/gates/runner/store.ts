import {
  appendFileSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { Evidence } from '#schema/gates.ts';

/** The evidence of one repository, in recording order, and its logs. */
export interface EvidenceStore {
  readonly folder: string;
  /** File with the known versions of programs, so that they need not be asked again. */
  readonly toolMemory: string;
  append(evidence: Evidence): void;
  /** All evidence, or that of one task; skips what a crash left half written. */
  all(of?: { readonly run: string; readonly task: string }): Evidence[];
  /** The path of a new log file. */
  newLog(at: string, name: string): string;
}

/** Where evidence goes if the state folder is not writable: below a folder for caches or temporary files. */
export function spareRoot(folder: string, repositoryKey: string): string {
  return join(folder, 'joinery-evidence', repositoryKey);
}

const mostLogs = 400;
const mostLogBytes = 1024 ** 3;

/** `root` is the state folder of the repository. */
export function openEvidenceStore(root: string): EvidenceStore {
  const folder = join(root, 'evidence');
  const file = join(folder, 'evidence.jsonl');
  const logs = join(folder, 'logs');
  mkdirSync(logs, { recursive: true, mode: 0o700 });
  return {
    folder,
    toolMemory: join(folder, 'tools.json'),
    append(evidence) {
      const handle = openSync(file, 'a');
      try {
        // One write, between line ends: several processes may write at once, and one may have died within a line.
        appendFileSync(handle, `\n${JSON.stringify(evidence)}\n`);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
    },
    all: (of) => readEvidence(file, of),
    newLog(at, name) {
      removeOldest(logs);
      const stamp = at.replace(/[-:.]/g, '').replace(/Z$/, '');
      const safe = name.replace(/[^\w-]/g, '-');
      return join(logs, `${stamp}-${process.pid}-${counter++}-${safe}.log`);
    },
  };
}

let counter = 0;

function readEvidence(file: string, of?: { readonly run: string; readonly task: string }): Evidence[] {
  let text: string;
  try {
    // An agent can write to its own cache: a pipe there would never end.
    if (!statSync(file).isFile()) return [];
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  // Filtered as text first: a task needs only a few lines of a long history.
  const parts = of ? [`"run":${JSON.stringify(of.run)}`, `"task":${JSON.stringify(of.task)}`] : [];
  return text.split('\n').flatMap((line) => {
    if (line === '' || !parts.every((part) => line.includes(part))) return [];
    try {
      return [Evidence.parse(JSON.parse(line))];
    } catch {
      return [];
    }
  });
}

/** The names start with the time: sorted, the oldest come first. */
function removeOldest(logs: string): void {
  const names = readdirSync(logs).sort();
  if (names.length < mostLogs / 4) return;
  let bytes = 0;
  const kept = names.toReversed().filter((name, index) => {
    bytes += statSync(join(logs, name), { throwIfNoEntry: false })?.size ?? 0;
    return index < mostLogs && bytes < mostLogBytes;
  });
  for (const name of names.slice(0, names.length - kept.length)) rmSync(join(logs, name), { force: true });
}
