import { posix } from 'node:path';
import type { Rule } from './rule.ts';
import type { Sighting, Survey, SurveyedBranch } from './survey/survey.ts';

export const oldRegistration = {
  id: 'K01a',
  name: 'old-registration',
  category: 'connection',
  severity: 'minor',
  languages: ['any'],
  precision: 0.85,
  alarms: { merges: 1075, with: 0 },
  measured: { findings: 34, real: 34 },
  what: 'One branch changes how things are registered: it moves or renames all files of a folder to another form, or replaces every call that registers something. Another branch adds one more in the old form, which nothing reads any longer.',
  example: {
    a: ['- plugins/mail.ts', '+ plugins/mail.plugin.ts   // and all others'],
    b: ['+ plugins/chat.ts'],
  },
  move: 'Register the new thing in the new form.',
  proof: ['likely'],
  owner: 'consumer',
  givesWay: true,
  detect: { survey: oldForms },
} satisfies Rule;

const fewest = 2;
const most = 0.8;

async function oldForms(survey: Survey): Promise<Sighting[]> {
  return [...oldFiles(survey), ...(await oldCalls(survey))];
}

interface NewForm {
  readonly side: SurveyedBranch;
  /** `plugins/*.ts`. */
  readonly from: string;
  readonly to: string;
  readonly first: { readonly path: string; readonly oldPath: string };
}

function oldFiles(survey: Survey): Sighting[] {
  const forms = survey.sides.flatMap((side) => newForms(survey, side));
  if (forms.length === 0) return [];
  return survey.sides.flatMap((side) =>
    side.changes.flatMap(({ path, status }): Sighting[] => {
      const form = forms.find(
        (each) => each.side !== side && survey.isApart(each.side, side) && each.from === formOf(path),
      );
      // Git moves new files into a renamed folder, or reports that it cannot.
      const isThere = survey.union?.blob(path) !== undefined;
      if (!form || status !== 'added' || !isThere) return [];
      return [
        {
          key: form.from,
          provider: { side: form.side, file: form.first.path, line: 1, name: '' },
          sites: [{ side, file: path, line: 1, name: '' }],
          subject: path,
          confidence: 'likely',
          message: `${form.side.ref} turns ${form.from} into ${form.to}; ${side.ref} adds ${path} in the old form`,
          suggestion: `name it like ${form.to}`,
        },
      ];
    }),
  );
}

/** Forms that all files of a folder left for another one. */
function newForms(survey: Survey, side: SurveyedBranch): NewForm[] {
  const renamed = side.changes.flatMap(({ path, oldPath }) => {
    if (oldPath === null) return [];
    const to = path.replaceAll(stemOf(oldPath), '*');
    return to.includes('*') && to !== formOf(oldPath) ? [{ path, oldPath, from: formOf(oldPath), to }] : [];
  });
  const groups = Map.groupBy(renamed, ({ from, to }) => `${from} ${to}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first || group.length < fewest) return [];
    const siblings = survey.from.matching((path) => formOf(path) === first.from && !isEntrance(path));
    return group.length / siblings.length >= most ? [{ side, from: first.from, to: first.to, first }] : [];
  });
}

function isEntrance(path: string): boolean {
  return /(^|\/)(index|__init__|main|mod)\.\w+$/.test(path);
}

function stemOf(path: string): string {
  return posix.basename(path).replace(/\..*$/, '');
}

/** `plugins/*.ts` for `plugins/mail.ts`. */
function formOf(path: string): string {
  return posix.join(posix.dirname(path), `*${posix.basename(path).slice(stemOf(path).length)}`);
}

async function oldCalls(survey: Survey): Promise<Sighting[]> {
  const found: Sighting[] = [];
  for (const remover of survey.sides) {
    const news = [...(await remover.news())];
    const gone = news.flatMap(([file, { registrations }]) =>
      (registrations?.gone ?? []).map((each) => ({ ...each, file })),
    );
    const kept = new Set(
      news.flatMap(([, { registrations }]) => registrations?.added.map(({ callee }) => callee) ?? []),
    );
    for (const [callee, calls] of Map.groupBy(gone, (each) => each.callee)) {
      const [first] = calls;
      if (calls.length < fewest || kept.has(callee) || !first) continue;
      const users = await usersOf(survey, remover, callee);
      if (users.length === 0 || (await survey.holding(remover.tree, [`${callee}(`])).length > 0) continue;
      for (const { side, file, line } of users)
        found.push({
          key: callee,
          provider: { side: remover, file: first.file, line: first.line, name: callee, removed: true },
          sites: [{ side, file, line, name: callee }],
          subject: callee,
          confidence: 'likely',
          message: `${remover.ref} replaces all ${calls.length} calls of ${callee}; ${side.ref} registers with one more`,
          suggestion: `register it the way ${remover.ref} does now`,
        });
    }
  }
  return found;
}

async function usersOf(
  survey: Survey,
  remover: SurveyedBranch,
  callee: string,
): Promise<{ side: SurveyedBranch; file: string; line: number }[]> {
  const users: { side: SurveyedBranch; file: string; line: number }[] = [];
  for (const side of survey.sides) {
    if (side === remover || !survey.isApart(side, remover)) continue;
    for (const [file, { registrations }] of await side.news()) {
      const call = registrations?.added.find((each) => each.callee === callee);
      const isMoved = registrations?.gone.some((each) => each.callee === callee);
      if (call && !isMoved) users.push({ side, file, line: call.line });
    }
  }
  return users;
}
