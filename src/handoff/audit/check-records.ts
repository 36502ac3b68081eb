import { nearest } from '#lib/nearest.ts';
import type { AuditFinding } from '#schema/audit.ts';
import {
  type HandoffRecord,
  recordIn,
  requiredSubsections,
  type Subsection,
} from '../markdown/read-record.ts';
import {
  type AuditedAgent,
  type CheckedInput,
  type CheckedOutput,
  type CheckedRecord,
  isComplete,
  type RefState,
} from './agents.ts';
import { Citable } from './citable.ts';
import { auditFinding } from './findings.ts';
import { resolvePath } from './resolve-path.ts';
import { addresseesOf, entryFor, type RosterEntry, roster, twinOf } from './roster.ts';

/** A Markdown file of the audited folder. */
export interface PipelineDocument {
  /** Name within the folder: `01-plan.md`. */
  readonly name: string;
  /** Displayed path: `.claude/pipeline/login/01-plan.md`. */
  readonly path: string;
  readonly text: string;
}

/** Reads other files by their path from the top of the repository. */
export type ReadBeside = (path: string) => { readonly text: string } | 'missing' | 'outside';

export interface CheckedRecords {
  readonly agents: readonly AuditedAgent[];
  readonly findings: readonly AuditFinding[];
}

/** Reads the record of every agent and looks up its references. */
export function checkRecords(documents: readonly PipelineDocument[], readBeside: ReadBeside): CheckedRecords {
  const desk = new Desk(documents, readBeside);
  const groups = Map.groupBy(documents, ({ name }) => entryFor(name)?.role ?? null);
  const agents = [...groups].flatMap(([role, own]) => {
    const entry = role === null ? null : entryFor(own[0]?.name ?? '');
    return entry ? [readAgent(entry, own, desk)] : [];
  });
  return { agents: agents.toSorted(byOrder), findings: desk.findings };
}

function byOrder(a: AuditedAgent, b: AuditedAgent): number {
  const [first, second] = [a.order ?? 9, b.order ?? 9];
  return first === second ? (a.id < b.id ? -1 : 1) : first - second;
}

/** The documents, other files that were read, and the findings so far. */
class Desk {
  readonly findings: AuditFinding[] = [];
  readonly #documents = new Map<string, { readonly role: string | null; readonly citable: Citable }>();
  readonly #beside = new Map<string, Citable | 'missing' | 'outside'>();
  readonly #readBeside: ReadBeside;
  readonly #roles = new Set<string>(roster.map(({ role }) => role));

  constructor(documents: readonly PipelineDocument[], readBeside: ReadBeside) {
    this.#readBeside = readBeside;
    for (const { name, text } of documents) {
      const role = entryFor(name)?.role ?? null;
      if (role !== null) this.#roles.add(role);
      this.#documents.set(name.normalize('NFC'), { role, citable: new Citable(name, text) });
    }
  }

  get roles(): ReadonlySet<string> {
    return this.#roles;
  }

  document(name: string) {
    const twin = twinOf(name);
    return this.#documents.get(name) ?? (twin === null ? undefined : this.#documents.get(twin));
  }

  beside(path: string): Citable | 'missing' | 'outside' {
    const known = this.#beside.get(path);
    if (known !== undefined) return known;
    const read = this.#readBeside(path);
    const found = typeof read === 'string' ? read : new Citable(path, read.text);
    this.#beside.set(path, found);
    return found;
  }
}

function readAgent(entry: RosterEntry, documents: readonly PipelineDocument[], desk: Desk): AuditedAgent {
  const read = documents.map((document) => ({
    document,
    record: recordIn(desk.document(document.name.normalize('NFC'))?.citable.prose ?? []),
  }));
  const withRecord = read.flatMap(({ document, record }) => (record ? [{ document, record }] : []));
  const [first] = documents;
  if (withRecord.length === 0 && first) {
    desk.findings.push(
      auditFinding(
        'MISSING_HANDOFF_RECORD',
        { agent: entry.role, file: first.path, line: 1 },
        'record',
        'there is no line "## Handoff Record"',
        'end the file with a Handoff Record; the heading is matched exactly',
      ),
    );
  }
  const checked = withRecord.map(({ document, record }) => checkRecord(entry, document, record, desk));
  return {
    id: entry.role,
    names: [entry.role],
    order: entry.order,
    mayStart: entry.mayStart ?? false,
    isTerminal: entry.isTerminal ?? false,
    handsOnTo: entry.handsOnTo,
    files: documents.map(({ path }) => path),
    record: checked.length === 0 ? null : merged(checked),
  };
}

/** An agent may leave several files; their records are merged. */
function merged(records: readonly CheckedRecord[]): CheckedRecord {
  return {
    inputs: records.flatMap(({ inputs }) => inputs),
    outputs: records.flatMap(({ outputs }) => outputs),
    decisions: records.reduce((sum, { decisions }) => sum + decisions, 0),
    none: [...new Set(records.flatMap(({ none }) => none))],
    isComplete: records.every((record) => record.isComplete),
    malformed: records.reduce((sum, { malformed }) => sum + malformed, 0),
  };
}

interface Writer {
  readonly entry: RosterEntry;
  readonly document: PipelineDocument;
  readonly desk: Desk;
}

function checkRecord(
  entry: RosterEntry,
  document: PipelineDocument,
  record: HandoffRecord,
  desk: Desk,
): CheckedRecord {
  const writer = { entry, document, desk };
  remarkForm(writer, record);
  const inputs = record.inputs.map((item): CheckedInput => {
    const { state } = lookUp(writer, item, 'input');
    return { ...placed(writer, item), state, usedFor: item.usedFor };
  });
  const outputs = record.outputs.map((item): CheckedOutput => {
    const { state } = lookUp(writer, item, 'output');
    return { ...placed(writer, item), state, to: addressees(writer, item) };
  });
  return {
    inputs,
    outputs,
    decisions: record.decisions.length,
    none: record.none,
    isComplete: isComplete(record),
    malformed: record.malformed.length,
  };
}

interface Item {
  readonly path: string;
  readonly anchor: string;
  readonly line: number;
}

function refOf({ path, anchor }: Item): string {
  return `${path}#${anchor}`;
}

function placed({ document }: Writer, item: Item) {
  return { ref: refOf(item), file: document.path, line: item.line };
}

/** Looks up a reference; adds a finding if it does not resolve. */
function lookUp(writer: Writer, item: Item, kind: 'input' | 'output'): { readonly state: RefState } {
  const { entry, document, desk } = writer;
  const where = { agent: entry.role, file: document.path, line: item.line };
  const complain = (flag: 'INVALID_PATH' | 'MISSING_FILE' | 'FABRICATION', message: string, hint = '') =>
    desk.findings.push(auditFinding(flag, where, `${kind} ${refOf(item)}`, message, hint));
  const invalid = (why: string) => {
    complain(
      'INVALID_PATH',
      `\`${item.path}\`: ${why}`,
      'name a file of this folder or a path from the top of the repository',
    );
    return { state: 'invalid' } as const;
  };
  const target = resolvePath(item.path);
  if (target.kind === 'invalid') return invalid(target.why);
  const own = target.kind === 'document' ? desk.document(target.name) : undefined;
  if (kind === 'output' && own && own.role !== entry.role)
    return invalid(`it is the work of ${own.role ?? 'another agent'}, not of ${entry.role}`);
  const found =
    own?.citable ??
    desk.beside(target.kind === 'document' ? besideDocument(document, target.name) : target.path);
  if (found === 'outside') return invalid('it leads out of the repository');
  if (found === 'missing') {
    complain('MISSING_FILE', `\`${item.path}\` does not exist`, missingHints[target.kind]);
    return { state: 'missing-file' };
  }
  if (found.has(item.anchor)) return { state: 'ok' };
  complain(
    'FABRICATION',
    `\`${item.path}\` has no section \`#${item.anchor}\``,
    sectionHint(found, item.anchor),
  );
  return { state: 'fabricated' };
}

/** A bare name that is not a Markdown file is also in the folder of the document. */
function besideDocument({ path, name }: PipelineDocument, other: string): string {
  return `${path.slice(0, path.length - name.length)}${other}`;
}

const missingHints = {
  document: 'a name without a folder is a file of the audited folder',
  file: 'paths with a folder begin at the top of the repository',
};

/** In documents with more sections, no similar one is suggested. */
const mostSuggested = 200;

function sectionHint({ anchors, isMarkdown }: Citable, wanted: string): string {
  if (!isMarkdown) return 'cite lines as #L10-L20, or a name that occurs in the file';
  if (anchors.size === 0) return 'it has no headings';
  const meant = anchors.size > mostSuggested ? null : nearest(wanted, anchors);
  if (meant !== null) return `did you mean #${meant}?`;
  const shown = [...anchors].slice(0, 6).map((anchor) => `#${anchor}`);
  return `it has ${shown.join(', ')}${anchors.size > shown.length ? ` and ${anchors.size - shown.length} more` : ''}`;
}

function addressees({ entry, document, desk }: Writer, item: Item & { readonly to: string }): string[] {
  const { roles, unknown, isForUser } = addresseesOf(item.to, (name) => desk.roles.has(name));
  const where = { agent: entry.role, file: document.path, line: item.line };
  if (roles.length === 0 && !isForUser) {
    const [first = item.to] = unknown;
    const meant = nearest(first, desk.roles);
    desk.findings.push(
      auditFinding(
        'UNKNOWN_ADDRESSEE',
        where,
        refOf(item),
        `\`${refOf(item)}\` is addressed to an unknown agent: ${first}`,
        meant === null ? 'name a role of the pipeline, or user' : `did you mean ${meant}?`,
      ),
    );
  }
  return roles.filter((role) => role !== entry.role);
}

const malformedFlags = {
  inputs: 'MALFORMED_INPUT',
  outputs: 'MALFORMED_OUTPUT',
  decisions: 'MALFORMED_DECISION',
} as const;

const forms: Readonly<Record<Subsection, string>> = {
  inputs: 'write: - `path#anchor` → what it was used for',
  outputs: 'write: - `path#anchor` → role',
  decisions: 'write: - What was decided. Reason: why',
};

/** Problems of the record itself, before its references are looked up. */
function remarkForm({ entry, document, desk }: Writer, record: HandoffRecord): void {
  const add = (
    ...[flag, line, about, message, hint]: [AuditFinding['flag'], number, string, string, string]
  ) =>
    desk.findings.push(
      auditFinding(flag, { agent: entry.role, file: document.path, line }, about, message, hint),
    );
  for (const name of record.absent) {
    const heading = requiredSubsections[name];
    add(
      'INCOMPLETE_HANDOFF_RECORD',
      record.line,
      name,
      `the record has no "${heading}"`,
      `add the line "${heading}"`,
    );
  }
  for (const { subsection, line } of record.empty) {
    const heading = requiredSubsections[subsection];
    add(
      'INCOMPLETE_HANDOFF_RECORD',
      line,
      subsection,
      `"${heading}" has no item`,
      'write "- none" when there is none',
    );
  }
  for (const { subsection, text, line } of record.malformed)
    add(malformedFlags[subsection], line, text, `cannot be read: ${text}`, forms[subsection]);
  if (record.none.includes('outputs') && record.outputs.length === 0 && !entry.isTerminal)
    add('NO_OUTPUTS', record.line, 'none', 'it hands on nothing', 'address outputs to those who work next');
  if (!record.isLast || record.earlier > 0 || !record.isOrdered)
    add(
      'MISPLACED_RECORD',
      record.line,
      'place',
      misplacement(record),
      'one record, in order, at the end of the file',
    );
  if (entry.subsection !== undefined && !record.others.includes(entry.subsection))
    add(
      'MISSING_SUBSECTION',
      record.line,
      entry.subsection,
      `a ${entry.role} should add "### ${entry.subsection}"`,
      '',
    );
}

function misplacement({ isLast, earlier, isOrdered }: HandoffRecord): string {
  if (earlier > 0) return `the file has ${earlier + 1} records; the last one counts`;
  return isOrdered && !isLast
    ? 'another section follows the record'
    : 'the subsections are not in their order';
}
