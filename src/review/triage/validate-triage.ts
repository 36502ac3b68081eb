import { z } from 'zod';
import { RawFinding, Triage, type TriageReport } from '#schema/triage.ts';
import { buckets, correctTriage } from './correct-triage.ts';
import { overRejection } from './over-rejection.ts';

export interface TriageInput {
  readonly raw: readonly RawFinding[];
  /** Files of the diff; null: not known. */
  readonly files: readonly string[] | null;
  /** As the agent wrote it. */
  readonly triage: unknown;
}

/** Checks that a triage keeps every finding, invents none and does not reject too much. */
export function validateTriage({ raw, files, triage: given }: TriageInput): TriageReport {
  const { triage: value, isCorrected } = correctTriage(given, raw);
  const parsed = Triage.safeParse(value);
  if (!parsed.success) return invalid(issuesOf(parsed.error));
  const triage = parsed.data;
  const guards = overRejection(raw, triage);
  const errors = [
    ...repeatedInRaw(raw),
    ...conserved(raw, triage),
    ...sameFateForTwins(raw, triage),
    ...severitiesKept(raw, triage),
    ...inScope(raw, triage, files),
    ...reasoned(triage, guards.length > 0),
  ];
  return {
    schema: 'joinery/triage-check@1',
    status: errors.length > 0 ? 'invalid' : guards.length > 0 ? 'needs-person' : 'valid',
    corrected: isCorrected,
    errors,
    guards,
    triage,
  };
}

/** The same for a whole file: its raw findings are checked first. */
export function validateTriageFile(text: string): TriageReport {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return invalid([`it is not JSON: ${(error as Error).message.split('\n')[0]}`]);
  }
  const file = FileFrame.safeParse(value);
  if (!file.success) return invalid(issuesOf(file.error));
  const { raw, files, triage } = file.data;
  return validateTriage({ raw, files: files ?? null, triage });
}

/** The triage itself is corrected before it is parsed. */
const FileFrame = z.object({
  schema: z.literal('joinery/triage@1'),
  raw: z.array(RawFinding),
  files: z.array(z.string()).optional(),
  triage: z.unknown(),
});

function invalid(errors: string[]): TriageReport {
  return {
    schema: 'joinery/triage-check@1',
    status: 'invalid',
    corrected: false,
    errors,
    guards: [],
    triage: null,
  };
}

function issuesOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'the document'}: ${message}`);
}

function repeatedInRaw(raw: readonly RawFinding[]): string[] {
  return [...Map.groupBy(raw, ({ id }) => id)].flatMap(([id, same]) =>
    same.length > 1 ? [`raw finding ${id} occurs ${same.length} times`] : [],
  );
}

function entriesOf(triage: Triage) {
  return buckets.flatMap((bucket) => triage[bucket].map((entry) => ({ ...entry, bucket })));
}

/** Every raw id must be in exactly one bucket, and no other id in any. */
function conserved(raw: readonly RawFinding[], triage: Triage): string[] {
  const placed = Map.groupBy(entriesOf(triage), ({ id }) => id);
  const known = new Set(raw.map(({ id }) => id));
  const lost = [...known].filter((id) => !placed.has(id)).map((id) => `finding ${id} is in no bucket`);
  const found = [...placed].flatMap(([id, entries]) => {
    if (!known.has(id)) return [`finding ${id} is invented: no reviewer reported it`];
    const where = entries.map(({ bucket }) => bucket);
    return where.length > 1 ? [`finding ${id} is ${where.join(' and ')}`] : [];
  });
  return [...lost, ...found];
}

/** One problem under two ids must be accepted or not accepted in both. */
function sameFateForTwins(raw: readonly RawFinding[], triage: Triage): string[] {
  const bucketOf = new Map(entriesOf(triage).map(({ id, bucket }) => [id, bucket]));
  return [...Map.groupBy(raw, ({ fingerprint }) => fingerprint).values()].flatMap((twins) => {
    const fates = new Set(twins.flatMap(({ id }) => bucketOf.get(id) ?? []));
    return fates.size > 1
      ? [`${twins.map(({ id }) => id).join(' and ')} are one problem and are ${[...fates].join(' and ')}`]
      : [];
  });
}

function severitiesKept(raw: readonly RawFinding[], triage: Triage): string[] {
  const severityOf = new Map(raw.map(({ id, severity }) => [id, severity]));
  return entriesOf(triage).flatMap(({ id, severity }) => {
    const reported = severityOf.get(id);
    return severity === undefined || reported === undefined || severity === reported
      ? []
      : [`finding ${id} was reported as ${reported}, not ${severity}`];
  });
}

/** Work outside the diff is another task: it can be deferred, not accepted. */
function inScope(raw: readonly RawFinding[], triage: Triage, files: readonly string[] | null): string[] {
  if (files === null) return [];
  const inDiff = new Set(files);
  const accepted = new Set(triage.accepted.map(({ id }) => id));
  return raw
    .filter(({ id, file }) => accepted.has(id) && !inDiff.has(file))
    .map(({ id, file }) => `finding ${id} is accepted, and ${file} is not part of the change: defer it`);
}

/** Whatever is not accepted needs a reason. If a guard has fired, a person reads the rejections anyway. */
function reasoned(triage: Triage, isGuarded: boolean): string[] {
  const silent = [...triage.deferred, ...(isGuarded ? [] : triage.rejected)];
  return silent.filter(({ reason }) => reason.trim() === '').map(({ id }) => `finding ${id} has no reason`);
}
