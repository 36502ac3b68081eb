import { escapePattern } from '#lib/escape-pattern.ts';
import type { Failure } from '#schema/failure.ts';
import type { GroundCheck } from '#schema/grounding.ts';
import type { AttemptFinding, AttemptOutcome } from '#schema/run.ts';
import { breaks } from '#schema/verdict.ts';

/** What the agent did with its tools. */
interface ToolCounts {
  readonly seen: number;
  readonly explored: number;
  readonly wrote: number;
}

/** The basis for classifying a failure: facts of the log, and the agent's own words. */
export interface FailureFacts {
  readonly outcome: AttemptOutcome;
  readonly reason: string;
  readonly tools: ToolCounts;
  /** Sections that did not fit into its prompt. */
  readonly dropped: readonly string[];
  readonly hasWork: boolean;
  readonly checks: readonly Pick<GroundCheck, 'name' | 'status' | 'findings'>[];
  readonly findings: readonly AttemptFinding[];
  readonly declared: number;
  /** The agent's own statement of what blocks it; null if there is none. */
  readonly blocker: string | null;
  readonly notes: string;
  readonly hasHandoff: boolean;
}

const explores = /^(read|grep|glob|ls|list|search|find|view|open|web|fetch|think|todo)/i;
const writes =
  /^(write|edit|multi_?edit|notebook_?edit|apply_?patch|patch|create|delete|move|insert|str_replace)/i;
const exploringCommand =
  /^\s*(?:cd\s+\S+\s*&&\s*)?(cat|ls|rg|grep|find|head|tail|less|tree|wc|sed -n|git (log|show|diff|status|grep|blame))\b/;

/** The purpose of one use of a tool. */
export function toolUse(tool: string, detail: string): 'explored' | 'wrote' | 'other' {
  if (writes.test(tool)) return 'wrote';
  return explores.test(tool) || exploringCommand.test(detail) ? 'explored' : 'other';
}

// Wording of models, compilers and package managers, which give no code. Our own messages are not matched: their facts are.
const contextWords =
  /context (window|length|limit)|prompt is too long|maximum context|context_length_exceeded|input is too long/i;
const missingWords =
  /cannot find (module|package) ['"](?![./])|ModuleNotFoundError|No module named|command not found|is not installed|not in (the )?registry|unresolved (external )?dependenc|could not resolve dependenc|missing dependenc|needs? task \S+|depends on task/i;

/** The first class that matches, the most reliable signs first. */
export function classifyFailure(facts: FailureFacts): Failure {
  const { outcome, reason, tools, notes, findings } = facts;
  if (outcome === 'api_error') return failure('api-error', reason);
  if (outcome === 'denied') return failure('denied', reason);
  if (outcome !== 'ok' && contextWords.test(`${reason}\n${notes}`)) return failure('context-cut', reason);
  const missed = facts.dropped.find((section) => mentions(notes, section));
  if (missed !== undefined)
    return failure('context-cut', `it asks for ${missed}, which did not fit into its prompt`);
  if (!facts.hasWork && isExploration(tools))
    return failure(
      'exploration-death',
      `${tools.explored} of ${tools.seen} steps were reading, ${tools.wrote} wrote`,
    );
  if (outcome === 'limit')
    return failure(
      'turn-exhaustion',
      `${reason || 'a limit was reached'}${facts.hasWork ? '; its work is kept' : ''}`,
    );
  if (outcome === 'timeout') return failure('timeout', reason);
  if (outcome !== 'ok') return failure('crash', reason);
  if (facts.blocker !== null) {
    return missingWords.test(facts.blocker)
      ? failure('missing-dependency', facts.blocker)
      : failure('ambiguous-spec', facts.blocker);
  }
  const scope = scopeTrouble(facts);
  if (scope !== null) return failure('scope-wrong', scope);
  // Output of a gate: what the tools of the project printed.
  const missing = findings.find(({ message }) => missingWords.test(message));
  if (missing) return failure('missing-dependency', firstLine(missing.message));
  const blocking = findings.filter(breaks);
  if (!facts.hasHandoff && blocking.every(({ fingerprint }) => fingerprint.startsWith('handoff:')))
    return failure('no-handoff', 'no valid handoff and no usable notes');
  return failure('implementation-error', firstLine(blocking[0]?.message ?? 'its checks failed'));
}

function failure(kind: Failure['class'], why: string): Failure {
  return { class: kind, why };
}

const fewestSteps = 10;

function isExploration({ seen, explored, wrote }: ToolCounts): boolean {
  return seen >= fewestSteps && explored > 0.8 * seen && wrote < 0.1 * seen;
}

/** A file of another task, or more undeclared files than declared ones, three at least. */
function scopeTrouble({ checks, declared }: FailureFacts): string | null {
  const scope = checks.find(({ name, status }) => name === 'declared-scope' && status === 'fail');
  if (!scope) return null;
  const owned = scope.findings.find(({ owner }) => owner !== undefined);
  if (owned) return owned.message;
  const undeclared = scope.findings.length;
  return undeclared >= 3 && undeclared > declared
    ? `${undeclared} undeclared files, ${declared} declared`
    : null;
}

/** True if the notes name `handoff/model#summary`, or its task. */
function mentions(notes: string, section: string): boolean {
  const [artifact = ''] = section.split('#');
  const name = artifact.split('/').at(-1) ?? '';
  if (notes.includes(section)) return true;
  return (
    artifact.includes('/') &&
    new RegExp(`\\b(task|from|of|handoff) ${escapePattern(name)}\\b`, 'i').test(notes)
  );
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

/** Advice for the next attempt besides the exact reasons; empty if those are enough. */
export function adviceAfter({ class: kind, why }: Failure, hasWork: boolean): string[] {
  const kept = hasWork
    ? ['The folder contains the work of the previous attempt: finish it, do not start over.']
    : [];
  switch (kind) {
    case 'exploration-death':
      return [`The attempt before only looked around (${why}). Write early: begin with the declared files.`];
    case 'context-cut':
      return [
        'The attempt before ran out of context. Read only what the task names, in small pieces.',
        ...kept,
      ];
    case 'turn-exhaustion':
      return ['The attempt before ran into its limit. Do what is left first, then stop.', ...kept];
    case 'timeout':
      return ['The attempt before took too long. Do not wait for long commands.', ...kept];
    case 'scope-wrong':
      return [
        'When the declared files do not do, put what you need into "amends" with the reason, or hand in that you are blocked.',
      ];
    default:
      return [];
  }
}
