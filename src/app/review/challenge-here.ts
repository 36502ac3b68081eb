import type { AssembledPrompt } from '#agents/prompt/assemble-prompt.ts';
import { judgePrompt } from '#agents/prompt/judge-prompt.ts';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { type AgentWish, consulting } from '#app/planning/consulting.ts';
import type { ConsultWish, PlanRoom } from '#app/planning/plan-room.ts';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { readFilesAt } from '#git/trees/files-at.ts';
import type { Reply } from '#planning/answers/consult.ts';
import { challengeVectors, judgeChallenge } from '#review/challenge/challenge-verdict.ts';
import { ChallengeAnswer, type ChallengeReport } from '#schema/challenge.ts';
import { breaks } from '#schema/verdict.ts';

export interface ChallengeWish extends AgentWish {
  readonly file: string;
  /** Undefined: a plan if it is JSON, otherwise a spec. */
  readonly kind: ChallengeReport['kind'] | undefined;
}

const promptBytes = 400_000;

/** Guides that agents read by themselves; a challenger must not see them. */
const guides = ['AGENTS.md', 'CLAUDE.md'];

/** Lets a challenger that sees only a document object to it; the verdict is computed from the objections that hold. */
export function challengeHere(here: Surroundings, wish: ChallengeWish): Promise<ChallengeReport> {
  return consulting(
    here,
    wish,
    async (room, ask) => {
      const { path, text } = room.spec(wish.file);
      const kind = wish.kind ?? (path.endsWith('.json') ? 'plan' : 'spec');
      return challengeDocument(room, ask, { kind, path, text });
    },
    (room) => room.spec(wish.file),
  );
}

interface Document {
  readonly kind: ChallengeReport['kind'];
  readonly path: string;
  readonly text: string;
}

/** The same for a caller with an open planning room. After an unreadable answer the challenger is asked once more. */
export async function challengeDocument(
  room: PlanRoom,
  ask: ConsultWish,
  { kind, path, text }: Document,
): Promise<ChallengeReport> {
  const ambient = await readFilesAt(room.repository.git, room.base, guides);
  const promptWith = (problems: readonly string[]) =>
    promptFor(room, kind, { path, text }, ambient, problems);
  const { consult, close } = room.consultant(ask);
  const consultations: Reply['consultation'][] = [];
  const role = `${kind}-challenger` as const;
  let prompt = promptWith([]);
  let reason = '';
  try {
    for (let n = 1; n <= 2; n++) {
      const reply = await consult({ role, n, prompt, place: 'nowhere', tier: 'strong' });
      consultations.push(reply.consultation);
      const read = readAnswer(reply);
      if (typeof read !== 'string') {
        const { verdict, findings, problems } = judgeChallenge(kind, text, read);
        return report(kind, path, prompt, consultations, {
          ...{ verdict, findings, problems, right: read.right },
          reason: reasonFor(verdict, findings),
        });
      }
      reason = read;
      prompt = promptWith([read]);
    }
    const nothing = { findings: [], problems: [reason], right: '' };
    return report(kind, path, prompt, consultations, {
      ...nothing,
      verdict: 'uncertain',
      reason: `the challenger gave no usable answer: ${reason}`,
    });
  } finally {
    await close();
  }
}

type Judged = Pick<ChallengeReport, 'verdict' | 'reason' | 'findings' | 'right' | 'problems'>;

function report(
  kind: ChallengeReport['kind'],
  document: string,
  { mode, included, isolated, sha256 }: AssembledPrompt,
  consultations: ChallengeReport['consultations'],
  judged: Judged,
): ChallengeReport {
  const isolation = { mode, included: [...included], isolated: [...isolated], sha256 };
  return { schema: 'joinery/challenge@1', kind, document, ...judged, isolation, consultations };
}

/** The answer, or why it cannot be used. */
function readAnswer({ outcome, reason, text }: Reply): ChallengeAnswer | string {
  if (outcome !== 'ok') return `${outcome} ${reason}`.trim();
  const parsed = ChallengeAnswer.safeParse(findJson(text, (value) => isObject(value) && 'findings' in value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `${issue?.path.join('.') || 'answer'}: ${issue?.message}`;
}

function reasonFor(verdict: ChallengeReport['verdict'], findings: ChallengeReport['findings']): string {
  const blocking = findings.filter(breaks).length;
  const said = `${blocking} ${blocking === 1 ? 'objection holds' : 'objections hold'}`;
  return verdict === 'reject' ? `${said}, three or more at its root` : said;
}

function promptFor(
  room: PlanRoom,
  kind: ChallengeReport['kind'],
  { path, text }: { readonly path: string; readonly text: string },
  ambient: ReadonlyMap<string, string>,
  problems: readonly string[],
): AssembledPrompt {
  const example = {
    findings: [
      {
        vector: challengeVectors[kind][0],
        severity: 'blocking',
        quote: 'Words of the document.',
        issue: 'What is wrong with it.',
        suggestion: 'What to write instead.',
      },
    ],
    right: 'What it gets right.',
    counts: { blocking: 1, minor: 0, info: 0 },
  };
  return judgePrompt({
    role: `${kind}-challenger`,
    roleText: room.role(`${kind}-challenger`).text,
    format: `# Your answer\n\nAnswer with one JSON object and nothing else:\n\n\`\`\`json\n${JSON.stringify(example, null, 1)}\n\`\`\`\n\n\`vector\`: ${challengeVectors[kind].join(', ')}.\n`,
    inputs: [{ id: `document/${path}`, title: `The ${kind}`, text }],
    ambient: [...ambient].map(([id, guide]) => ({ id: `guide/${id}`, text: guide })),
    problems,
    maxBytes: promptBytes,
  });
}
