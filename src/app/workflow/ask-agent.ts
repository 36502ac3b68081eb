import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentEvent } from '#agents/driver.ts';
import { openDriver } from '#agents/open-driver.ts';
import { playAgent } from '#agents/play-agent.ts';
import { deskNote, deskOf, withoutDesk } from '#agents/prompt/desk.ts';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { demandJudge } from '#app/workplace/may-judge.ts';
import type { Config } from '#config/settings.ts';
import { taskEnvironment } from '#crew/task/place/environment.ts';
import { asObject, asString } from '#lib/json-value.ts';
import { AgentConfig, type ModelTier } from '#schema/agent.ts';
import type { Scenario } from '#schema/scenario.ts';
import { emptySubmission, type Submission } from '#workflow/contracts/submission.ts';

export interface AgentSeat {
  readonly agent: string;
  readonly scenario: Scenario | null;
  readonly config: Config;
  readonly env: NodeJS.ProcessEnv;
  /** Joinery's folder for what an agent needs while it works. */
  readonly scratch: string;
  readonly signal: AbortSignal;
  report(event: AgentEvent): void;
}

export interface AgentTurn {
  readonly run: string;
  readonly step: string;
  readonly role: string;
  readonly round: number;
  readonly prompt: string;
  /** In mode `read` at a desk: its parent holds nothing else. */
  readonly cwd: string;
  readonly mode: 'read' | 'edit';
  /** null: the step names no tier, so the agent uses its default. */
  readonly tier: ModelTier | null;
  isUntouched(): Promise<boolean>;
}

export type AgentReply =
  | { readonly outcome: 'ok'; readonly submission: Submission }
  /** `isFinal`: do not retry. */
  | { readonly outcome: 'failed'; readonly reason: string; readonly isFinal?: boolean };

export const stepForm = `## How to hand in (System)
End your last message with one block fenced with \`\`\`handoff that holds JSON:
{"notes": "…", "context": {}, "artifacts": []}`;

/** Longest agent text that is read. */
const longestAnswer = 4 * 1024 * 1024;

/** Lets an agent do one step, and reads its submission. */
export async function askAgent(seat: AgentSeat, turn: AgentTurn): Promise<AgentReply> {
  const { config, agent } = seat;
  const driver = openDriver(agent, { scenario: seat.scenario, agents: config.agents });
  const own = config.agents[agent] ?? AgentConfig.parse({});
  driver.demand?.(own);
  const isJudge = turn.mode === 'read';
  if (isJudge) demandJudge(agent, driver, own);
  const slug = turn.step.replace(/[^a-z0-9-]/gi, '-').slice(0, 60);
  const outside = join(seat.scratch, turn.run, `${slug}-${turn.round}`);
  for (const folder of ['tmp', 'cache', 'agent']) mkdirSync(join(outside, folder), { recursive: true });
  const mark = `${turn.run}/${slug}/${turn.round}`;
  let handed: unknown;
  let text = '';
  try {
    const end = await playAgent(
      driver,
      {
        run: turn.run,
        task: turn.step,
        role: turn.role,
        attempt: turn.round,
        round: turn.round,
        idempotencyKey: mark,
        prompt: `${turn.prompt}\n\n${stepForm}`,
        system: isJudge ? deskNote : '',
        mode: turn.mode,
        tier: turn.tier ?? 'standard',
        model: own.models[turn.tier ?? 'standard'] ?? null,
        limits: {
          wallMs: Math.ceil(config.run.attemptMinutes * 60_000),
          inactivityMs: Math.ceil(config.run.inactivityMinutes * 60_000),
          turns: config.run.attemptTurns ?? null,
          tokens: config.run.attemptTokens ?? null,
          usd: config.run.attemptUsd ?? null,
        },
        prices: config.prices,
        mcpServers: {},
        resume: null,
        ...(isJudge ? { cwd: deskOf(turn.cwd), tree: turn.cwd, hasAmbient: false } : { cwd: turn.cwd }),
        env: taskEnvironment(
          { run: turn.run, task: slug, slug, mark, scratch: outside, ports: [0, 0] },
          seat.env,
        ),
        mark,
        scratch: join(outside, 'agent'),
        config: own,
        signal: seat.signal,
      },
      {
        report(event) {
          if (event.type === 'text') {
            const said = isJudge ? withoutDesk(event.text, turn.cwd) : event.text;
            text = `${text}${said}\n`.slice(-longestAnswer);
          }
          seat.report(event);
        },
        submit(raw) {
          handed = raw;
          return { accepted: true };
        },
        hasChanged: async () => !(await turn.isUntouched()),
      },
    );
    if (end.outcome !== 'ok') return { outcome: 'failed', reason: `${end.outcome}: ${end.reason}` };
    return { outcome: 'ok', submission: readSubmission(handed, text) };
  } finally {
    rmSync(outside, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** An agent's submission for a step, or its text. Text alone counts as notes. */
export function readSubmission(handed: unknown, text: string): Submission {
  const raw = typeof handed === 'string' || handed === undefined ? findJson(handed ?? text) : handed;
  if (!isObject(raw)) return { ...emptySubmission, notes: text.trim() === '' ? null : text.trim() };
  const notes = asString(raw.notes) ?? asString(raw.notesMarkdown) ?? null;
  const artifacts = Array.isArray(raw.artifacts) ? raw.artifacts.filter(isObject) : [];
  // An agent that submitted the bare artifact meant the artifact.
  const alone = typeof raw.kind === 'string' ? [raw] : [];
  return { notes, artifacts: [...artifacts, ...alone], context: asObject(raw.context) };
}
