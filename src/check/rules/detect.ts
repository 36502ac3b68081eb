import { changedCalls } from '#check/members/changed-calls.ts';
import type { Member } from '#check/members/member.ts';
import { problemsBetween, type SeamProblem } from '#check/members/union-problems.ts';
import { brokenCall } from './contracts/contract.ts';
import type { DiagnosedProblem, Diagnosis } from './diagnosis.ts';
import { type Cause, causeOf, isUnreadScope } from './linked/cause.ts';
import { lostMembers } from './linked/lost-members.ts';
import { siteSides } from './linked/site-sides.ts';
import { registry } from './registry.ts';
import type { CodePair, Conflict, Detection, Found, Rule, Said, TextPair } from './rule.ts';
import { foundBy } from './survey/found-by.ts';
import type { Seams } from './survey/seams.ts';
import type { Sighting, Survey } from './survey/survey.ts';
import type { ConflictSite } from './text/conflict-sites.ts';
import type { SharedCause } from './unresolved/one-cause.ts';

const rules: readonly Rule[] = Object.values(registry);

/** The rules that look at a place, each with its function for it, in the order of the registry. */
function rulesWith<Place extends keyof Detection>(place: Place) {
  return rules.flatMap((rule) => {
    const detection = rule.detect[place];
    return detection === undefined ? [] : [{ rule, detection: detection as NonNullable<Detection[Place]> }];
  });
}

type Diagnose = (seam: SeamProblem, cause: Cause) => Said;

const ruleOfCause = new Map<string, { readonly rule: Rule; readonly diagnose: Diagnose }>(
  rulesWith('linked').flatMap(({ rule, detection }) =>
    Object.entries(detection).map(([kind, diagnose]) => [kind, { rule, diagnose: diagnose as Diagnose }]),
  ),
);
const onCalls = rulesWith('call');
const onCode = rulesWith('code');
const onText = rulesWith('text');
const onKeys = rulesWith('meetsAt');
const onMeeting = rulesWith('canMeet');
const onLateConflict = rulesWith('lateConflict');
const onUnresolved = rulesWith('unresolved');
/** Rules with `givesWay` come last, and the later ones of these first: D07 is more specific than D01. */
const onSurvey = rulesWith('survey')
  .reverse()
  .sort((a, b) => Number(a.rule.givesWay ?? false) - Number(b.rule.givesWay ?? false));

const onSeams = rulesWith('seams');

/** A finding of a rule, and whether linking found it. */
export interface Detected {
  readonly entry: DiagnosedProblem;
  readonly isLinked: boolean;
}

/** Findings about code, in a union without unreadable conflicts. */
export async function detectInCode(pair: CodePair): Promise<Detected[]> {
  const linked = (await problemsBetween(pair.a, pair.b, pair.union)).filter((seam) => !isUnreadScope(seam));
  const others = [...detectInCalls(pair), ...lostMembers(pair).map(diagnose)];
  for (const { rule, detection } of onCode)
    for (const found of await detection(pair)) others.push(diagnosed(rule, found));
  return [
    ...linked.map((seam) => ({ entry: diagnose(seam), isLinked: true })),
    ...others.map((entry) => ({ entry, isLinked: false })),
  ];
}

function detectInCalls({ a, b, union }: CodePair): DiagnosedProblem[] {
  return changedCalls(a, b, union).flatMap((call) => {
    const broken = onCalls.flatMap(({ rule, detection }) => {
      const isAsked = call.now.use.call?.result !== 'expected' || rule.detect.readsExpectations === true;
      const contract = isAsked ? detection(call) : null;
      return contract ? [{ rule, contract }] : [];
    });
    const speaking = new Set(broken.map(({ rule }) => rule.id));
    return broken
      .filter(({ rule }) => !rule.detect.yieldsTo?.some((id) => speaking.has(id)))
      .map(({ rule, contract }) => diagnosed(rule, brokenCall(rule.id, call, contract)));
  });
}

/** Findings about the merged text of two branches. */
export async function detectInText(pair: TextPair): Promise<DiagnosedProblem[]> {
  const all: DiagnosedProblem[] = [];
  for (const { rule, detection } of onText)
    for (const found of await detection(pair)) all.push(diagnosed(rule, found));
  return all;
}

/** Keys of a path: branches that change paths with the same key are compared. */
export function meetingKeys(path: string): string[] {
  return onKeys.flatMap(({ detection }) => detection(path) ?? []);
}

/** Whether two branches can clash although neither depends on a change of the other. */
export function canMeetBeyondLinks(a: Member, b: Member): boolean {
  return onMeeting.some(({ detection }) => detection(a, b));
}

/** Diagnoses a problem that the linker found in a union and in no member alone. */
export function diagnose(seam: SeamProblem): DiagnosedProblem {
  const cause = causeOf(seam);
  const found = ruleOfCause.get(cause.kind);
  if (!found) throw new Error(`no rule takes ${cause.kind}`);
  return {
    ...seam,
    siteSides: siteSides(seam),
    diagnosis: diagnosisOf(found.rule, found.diagnose(seam, cause)),
  };
}

export function diagnoseLateConflict(
  late: Member,
  other: Member,
  merge: Conflict,
  sites: readonly ConflictSite[],
): DiagnosedProblem[] {
  return onLateConflict.map(({ rule, detection }) => diagnosed(rule, detection(late, other, merge, sites)));
}

export function diagnoseUnresolved(imported: SharedCause, side: Member): DiagnosedProblem[] {
  return onUnresolved.map(({ rule, detection }) => diagnosed(rule, detection(imported, side)));
}

/** The sightings of rules about all branches at once, those of rules that give way last. */
export async function* detectInSurvey(survey: Survey): AsyncIterable<{
  readonly sighting: Sighting;
  readonly givesWay: boolean;
  diagnose(sighting: Sighting): Promise<DiagnosedProblem>;
}> {
  for (const { rule, detection } of onSurvey)
    for (const sighting of await detection(survey))
      yield {
        sighting,
        givesWay: rule.givesWay === true,
        diagnose: async (whole) => diagnosed(rule, await foundBy(rule.id, whole)),
      };
}

/** The sightings of rules on the graph of the union. */
export function detectInSeams(
  seams: Seams,
): { readonly sighting: Sighting; diagnose(): Promise<DiagnosedProblem> }[] {
  return onSeams.flatMap(({ rule, detection }) =>
    [...detection(seams)].map((sighting) => ({
      sighting,
      diagnose: async () => diagnosed(rule, await foundBy(rule.id, sighting)),
    })),
  );
}

/** Adds the rule to a diagnostic of a type checker. */
export function diagnoseDiagnostic(
  checker: NonNullable<Detection['checker']>,
  found: Found,
): DiagnosedProblem {
  const rule = rules.find(({ detect }) => detect.checker === checker);
  if (!rule) throw new Error(`no rule takes diagnostics of ${checker}`);
  return diagnosed(rule, found);
}

function diagnosed(rule: Rule, found: Found): DiagnosedProblem {
  return { ...found, diagnosis: diagnosisOf(rule, found.diagnosis) };
}

function diagnosisOf({ id, owner }: Rule, said: Said): Diagnosis {
  return { fix: null, owner: owner === 'stated' ? 'neither' : owner, ...said, rule: id };
}
