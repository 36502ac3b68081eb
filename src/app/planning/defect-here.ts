import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Surroundings } from '#app/workplace/surroundings.ts';
import { Git } from '#git/call/git.ts';
import { draftSpec } from '#planning/defect/draft.ts';
import { resolveDefect } from '#planning/defect/flow.ts';
import { nameOf, type SpecBundle, specPath } from '#planning/spec/spec.ts';
import { DefectReport } from '#schema/defect.ts';
import { UsageError } from '#schema/errors.ts';
import { type AgentWish, consulting } from './consulting.ts';
import { type DefectPlace, gatesAt, prove, workOn } from './defect-work.ts';
import type { ConsultWish, PlanRoom } from './plan-room.ts';
import { writeNew } from './spec-files.ts';

export interface DefectWish extends AgentWish {
  readonly report: string;
  /** Continue although the defect is not trivial. */
  readonly isApproved: boolean;
  /** Discard the results of earlier calls. */
  readonly isAgain: boolean;
}

/** Triage, red test, fix, proof. Finished stages are not repeated. */
export function defectHere(here: Surroundings, wish: DefectWish): Promise<DefectReport> {
  const work = async (room: PlanRoom, ask: ConsultWish): Promise<DefectReport> => {
    const report = room.spec(wish.report, 'defect');
    const name = safeName(nameOf(report.path));
    const file = join(room.state, 'defects', name, 'state.json');
    const known = wish.isAgain ? null : readState(file, report, room.base);
    const definitions = await gatesAt({ room });
    const consultant = room.consultant(ask);
    const place: DefectPlace = {
      ...{ room, consultant, name, signal: ask.signal },
      env: here.env,
      progress: here.terminal.progress,
    };
    try {
      const end = await resolveDefect(
        known ?? filed(room, report, name),
        {
          report,
          roles: {
            triager: room.role('triager').text,
            reproducer: room.role('reproducer').text,
            repairer: room.role('repairer').text,
          },
          testCommands: definitions.gates.filter(({ kind }) => kind === 'test').map(({ command }) => command),
          isApproved: wish.isApproved,
        },
        {
          consult: consultant.consult,
          work: (job) => workOn(place, job),
          prove: (commit, comparedWith, which) => prove(place, definitions, commit, comparedWith, which),
          save: (defect) => saveState(file, defect),
          now: () => new Date().toISOString(),
        },
      );
      const finished = await keepWork(room, withDraft(room, report, end));
      saveState(file, finished);
      return finished;
    } finally {
      await consultant.close();
    }
  };
  return consulting(here, wish, work, (room) => room.spec(wish.report, 'defect'));
}

function safeName(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60);
  if (plain !== '') return plain;
  throw new UsageError({
    code: 'bad-name',
    message: `the name of the report, ${JSON.stringify(name)}, holds no letter and no digit`,
    hint: 'give it another name: specs/defects/<name>.md',
  });
}

function filed({ base }: PlanRoom, report: SpecBundle, name: string): DefectReport {
  const at = new Date().toISOString();
  return {
    schema: 'joinery/defect@1',
    name,
    status: 'filed',
    reason: '',
    report: report.path,
    reportSha256: digest(report.text),
    base,
    createdAt: at,
    updatedAt: at,
    triage: null,
    route: null,
    draft: null,
    branch: null,
    proof: null,
    attempts: [],
    history: [{ status: 'filed', at }],
    consultations: [],
  };
}

/** Null for another report or another base: earlier results do not apply to it. */
function readState(file: string, report: SpecBundle, base: string): DefectReport | null {
  if (!existsSync(file)) return null;
  const known = DefectReport.safeParse(JSON.parse(readFileSync(file, 'utf8'))).data;
  return known?.reportSha256 === digest(report.text) && known.base === base ? known : null;
}

function saveState(file: string, defect: DefectReport): void {
  mkdirSync(dirname(file), { recursive: true });
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, `${JSON.stringify(defect, null, 2)}\n`);
  renameSync(fresh, file);
}

/** A defect too large for a direct fix becomes a spec to fill in; an existing spec stays unchanged. */
function withDraft({ root }: PlanRoom, report: SpecBundle, defect: DefectReport): DefectReport {
  const { status, route, triage, draft, name } = defect;
  if (status !== 'escalated' || route !== 'complex' || triage === null || draft !== null) return defect;
  const path = specPath('prd', name);
  writeNew(root, path, draftSpec(report, triage));
  return { ...defect, draft: path };
}

/** Protects the commits of a defect from git's garbage collection; a fix gets a branch that can be merged. */
async function keepWork({ repository }: PlanRoom, defect: DefectReport): Promise<DefectReport> {
  const { proof, name } = defect;
  const git = new Git({ cwd: repository.commonDir, isDurable: true });
  if (proof) await git.run(['update-ref', `refs/joinery/defect-${name}/red`, proof.red.commit]);
  if (!proof?.green) return defect;
  const branch = `joinery/defect-${name}/fix`;
  await git.run(['update-ref', `refs/heads/${branch}`, proof.green.commit]);
  return { ...defect, branch };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
