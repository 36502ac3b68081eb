import { parseJson } from '#lib/parse-json.ts';
import { Handoff, type HandoffForm, type Ref } from '#schema/handoff.ts';
import { CodingHandoff } from '#schema/phase-handoffs.ts';
import { addresseesOf } from '../audit/roster.ts';
import type { ContractRegistry } from '../contracts/registry.ts';
import { type HandoffRecord, readRecord, requiredSubsections } from '../markdown/read-record.ts';

/** Who hands in, as known to Joinery, which overrides the agent's own statement. */
export interface Sender {
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  readonly role: string;
}

export type FormReading =
  | { readonly ok: true; readonly form: HandoffForm; readonly handoff: Handoff }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Reads a handoff in any format: Joinery's JSON, the typed object of a phase, or a Markdown Handoff Record. */
export function readForm(raw: unknown, sender: Sender, contracts: ContractRegistry): FormReading {
  if (raw === undefined) return { ok: false, problems: ['handoff: there is none'] };
  const value = typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw;
  if (typeof value === 'string') {
    const record = readRecord(value);
    if (record) return fromRecord(record, sender);
  }
  const kind = typeof value === 'object' && value !== null && 'kind' in value ? value.kind : null;
  if (typeof kind === 'string') return fromTyped(value as { kind: string }, sender, contracts);
  const parsed = Handoff.safeParse(value);
  if (!parsed.success) return { ok: false, problems: issuesOf(parsed.error.issues) };
  const typed = parsed.data.typed;
  const problems = typed === undefined ? [] : typedProblems(typed, contracts).map((each) => `typed.${each}`);
  return problems.length > 0 ? { ok: false, problems } : { ok: true, form: 'json', handoff: parsed.data };
}

function issuesOf(issues: readonly { readonly path: PropertyKey[]; readonly message: string }[]): string[] {
  return issues.map(({ path, message }) => `${path.join('.') || 'handoff'}: ${message}`);
}

function emptyHandoff(sender: Sender): Handoff {
  const nothing = { consumed: [], produced: [], decisions: [], assumptions: [], limitations: [] };
  return { v: 1, ...sender, ...nothing, files: [], tests: [] };
}

function fromRecord(record: HandoffRecord, sender: Sender): FormReading {
  const problems = [
    ...record.absent.map((name) => `record: there is no line "${requiredSubsections[name]}"`),
    ...record.empty.map(
      ({ subsection, line }) =>
        `line ${line}: "${requiredSubsections[subsection]}" has no item; write "- none"`,
    ),
    ...record.malformed.map(({ line, text }) => `line ${line}: cannot be read: ${text}`),
  ];
  if (problems.length > 0) return { ok: false, problems };
  const refOf = ({ path, anchor }: { readonly path: string; readonly anchor: string }): Ref => ({
    artifact: path,
    section: anchor,
  });
  const handoff: Handoff = {
    ...emptyHandoff(sender),
    consumed: record.inputs.map((item) => ({ ref: refOf(item), usedFor: item.usedFor })),
    produced: record.outputs.map((item) => ({
      ref: refOf(item),
      to: [...addresseesOf(item.to, () => true).roles],
    })),
    decisions: record.decisions.map(({ decision, reason }) => ({ what: decision, why: reason })),
  };
  return { ok: true, form: 'markdown', handoff };
}

function fromTyped(
  value: { readonly kind: string },
  sender: Sender,
  contracts: ContractRegistry,
): FormReading {
  const problems = typedProblems(value, contracts);
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    form: 'typed',
    handoff: { ...emptyHandoff(sender), ...codingParts(value), typed: { ...value } },
  };
}

function typedProblems(value: { readonly kind: string }, contracts: ContractRegistry): string[] {
  const contract = contracts.ofKind(value.kind);
  if (!contract) return [`kind: there is no contract ${JSON.stringify(value.kind)}`];
  const answer = contracts.check(contract.ref, [value]);
  return answer.ok ? [] : [...answer.problems, answer.blockedMessage];
}

/** Translates the handoff of a coding phase into the general fields. */
function codingParts(value: unknown): Partial<Handoff> {
  const coding = CodingHandoff.safeParse(value);
  if (!coding.success) return {};
  const { keyDecisions, knownLimitations, testsAdded, filesChanged, correctedAssumptions } = coding.data;
  return {
    decisions: keyDecisions.map((what) => ({ what, why: '' })),
    limitations: knownLimitations,
    tests: testsAdded,
    files: filesChanged,
    ...(correctedAssumptions ? { corrected: correctedAssumptions } : {}),
  };
}
