import { createHash } from 'node:crypto';
import type { RunRoom } from '#app/runs/run-room.ts';
import type { RunState } from '#crew/state/state.ts';
import { sectionsOf } from '#handoff/markdown/sections.ts';
import { nearest } from '#lib/nearest.ts';
import type { ArtifactEntry, ArtifactReport } from '#schema/artifact-report.ts';
import { EnvironmentError, UsageError } from '#schema/errors.ts';

type Reader = (sha256: string) => string;

/** Everything the attempts of a run received and produced. */
export function listArtifacts(room: Pick<RunRoom, 'runs' | 'state'>, run: string): ArtifactReport {
  const read = readerOf(room, run);
  return { schema: 'joinery/artifact@1', run, artifacts: entriesOf(room.state(run), read) };
}

/** One artifact or one section of it, by name or by the beginning of its hash: `handoff/api@2#decisions`. */
export function showArtifact(
  room: Pick<RunRoom, 'runs' | 'state'>,
  run: string,
  wanted: string,
): ArtifactReport {
  const read = readerOf(room, run);
  const [name = '', section] = wanted.split('#');
  const all = entriesOf(room.state(run), read);
  const entry = find(all, name);
  if (!entry) throw unknownArtifact(run, name, all);
  const text = section === undefined ? read(entry.sha256) : partOf(entry, read(entry.sha256), section);
  return { schema: 'joinery/artifact@1', run, artifacts: [entry], text };
}

/** If a blob of the journal does not match its hash, it was tampered with: refuse the whole journal. */
function readerOf({ runs }: Pick<RunRoom, 'runs'>, run: string): Reader {
  return (sha256) => {
    const text = runs.engine.artifact(run, sha256);
    if (text !== null && createHash('sha256').update(text).digest('hex') === sha256) return text;
    throw new EnvironmentError({
      code: 'artifact-damaged',
      message: `artifact ${sha256.slice(0, 12)} of run ${run} ${text === null ? 'is missing' : 'is not what it was'}`,
      hint: `look at the log: joinery logs ${run}`,
    });
  };
}

function entriesOf(state: RunState, read: Reader): ArtifactEntry[] {
  return [...state.steps].flatMap(([task, { attempts }]) =>
    attempts.flatMap(({ n, prompt, played }) => {
      const entry = (kind: ArtifactEntry['kind'], sha256: string | null | undefined): ArtifactEntry[] => {
        if (!sha256) return [];
        const text = read(sha256);
        const sections = sectionNames(kind, text);
        return [
          {
            name: `${kind}/${task}@${n}`,
            task,
            attempt: n,
            kind,
            sha256,
            bytes: Buffer.byteLength(text),
            sections,
          },
        ];
      };
      return [
        ...entry('prompt', prompt?.sha256),
        ...entry('handoff', played?.handoff),
        ...entry('notes', played?.notes),
      ];
    }),
  );
}

function sectionNames(kind: ArtifactEntry['kind'], text: string): string[] {
  if (kind !== 'handoff') return sectionsOf(text).map(({ anchor }) => anchor);
  return Object.entries(JSON.parse(text) as Record<string, unknown>)
    .filter(([, value]) => typeof value === 'object' && value !== null && Object.keys(value).length > 0)
    .map(([key]) => key);
}

/** Without `@n`, the last attempt. */
function find(all: readonly ArtifactEntry[], name: string): ArtifactEntry | undefined {
  const byName = all.findLast((entry) => entry.name === name || entry.name.startsWith(`${name}@`));
  if (byName || !/^[0-9a-f]{6,64}$/.test(name)) return byName;
  return all.find(({ sha256 }) => sha256.startsWith(name));
}

function partOf({ kind, name, sections }: ArtifactEntry, text: string, section: string): string {
  if (!sections.includes(section)) {
    throw new UsageError({
      code: 'unknown-section',
      message: `${name} has no section ${JSON.stringify(section)}`,
      hint: sections.length === 0 ? 'it has no sections' : `it has ${sections.join(', ')}`,
    });
  }
  if (kind === 'handoff')
    return `${JSON.stringify((JSON.parse(text) as Record<string, unknown>)[section], null, 2)}\n`;
  const all = sectionsOf(text);
  const at = all.findIndex(({ anchor }) => anchor === section);
  const start = all[at]?.line ?? 1;
  const end =
    all.slice(at + 1).find(({ level }) => level <= (all[at]?.level ?? 1))?.line ?? Number.POSITIVE_INFINITY;
  return `${text
    .split('\n')
    .slice(start - 1, end - 1)
    .join('\n')
    .trimEnd()}\n`;
}

function unknownArtifact(run: string, name: string, all: readonly ArtifactEntry[]): UsageError {
  const meant = nearest(
    name,
    all.map((entry) => entry.name),
  );
  return new UsageError({
    code: 'unknown-artifact',
    message: `run ${run} has no artifact ${JSON.stringify(name)}`,
    hint:
      meant === null
        ? `joinery artifact list --run ${run}`
        : `did you mean ${meant}? All of them: joinery artifact list`,
  });
}
