import type { Survey, SurveyedBranch } from '#check/rules/survey/survey.ts';
import type { DataFacts, Entity, Field, FieldUse, Step } from '#code/formats/shared/data-facts.ts';

/** A file that a branch changed, with its shared data before and after. */
export interface ChangedData {
  readonly side: SurveyedBranch;
  readonly file: string;
  readonly before: DataFacts;
  readonly after: DataFacts;
}

export type At<Found> = Found & { readonly side: SurveyedBranch; readonly file: string };

const knownData = new WeakMap<Survey, Promise<Map<SurveyedBranch, ChangedData[]>>>();

/** By side; empty for sides without such changes. A dozen rules use it, so it is computed once. */
export function changedData(survey: Survey): Promise<Map<SurveyedBranch, ChangedData[]>> {
  const known = knownData.get(survey) ?? gatherData(survey);
  knownData.set(survey, known);
  return known;
}

async function gatherData(survey: Survey): Promise<Map<SurveyedBranch, ChangedData[]>> {
  const all = new Map<SurveyedBranch, ChangedData[]>();
  for (const side of survey.sides) {
    const own: ChangedData[] = [];
    for (const [file, { data }] of await side.news())
      if (data) own.push({ side, file, before: data.before ?? {}, after: data.after ?? {} });
    all.set(side, own);
  }
  return all;
}

/** What the new version has and the old one lacks, or has fewer of: a second query of a column is new. */
export function newIn<Found extends { readonly line: number }>(
  { side, file, before, after }: ChangedData,
  of: (facts: DataFacts) => readonly Found[] | undefined,
): At<Found>[] {
  const old = (of(before) ?? []).map(withoutLines);
  const now = of(after) ?? [];
  const keys = now.map(withoutLines);
  // What is the same at both ends stays as it is, so that of several equal ones the new one is told.
  let start = 0;
  while (start < old.length && old[start] === keys[start]) start++;
  let end = 0;
  while (end < old.length - start && end < keys.length - start && old.at(-1 - end) === keys.at(-1 - end))
    end++;
  const left = new Map<string, number>();
  for (const key of old.slice(start, old.length - end)) left.set(key, (left.get(key) ?? 0) + 1);
  return now.slice(start, now.length - end).flatMap((each, index) => {
    const key = keys[start + index] ?? '';
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    return count > 0 ? [] : [{ ...each, side, file }];
  });
}

/** Each branch is compared with every other one: what is new in a file is computed once. */
function once<Found>(read: (changed: ChangedData) => Found[]): (changed: ChangedData) => Found[] {
  const known = new WeakMap<ChangedData, Found[]>();
  return (changed) => {
    const found = known.get(changed) ?? read(changed);
    known.set(changed, found);
    return found;
  };
}

export const newSteps = once((changed): At<Step>[] => newIn(changed, ({ steps }) => steps));

export const newUses = once((changed): At<FieldUse>[] => newIn(changed, ({ uses }) => uses));

function withoutLines(value: unknown): string {
  return JSON.stringify(value, (key, part) => (key === 'line' ? undefined : part));
}

/** A field of an entity that the old version of the file does not have. */
export interface NewField {
  readonly entity: Entity;
  readonly field: Field;
  /** The entity itself is new. */
  readonly isNewEntity: boolean;
}

export const newFields = once(({ side, file, before, after }): At<NewField>[] => {
  return (after.entities ?? []).flatMap((entity) => {
    const old = before.entities?.find((each) => each.name === entity.name && each.layer === entity.layer);
    return entity.fields
      .filter((field) => !old?.fields.some((each) => sameField(each, field)))
      .map((field) => ({ entity, field, isNewEntity: old === undefined, side, file }));
  });
});

function sameField(a: Field, b: Field): boolean {
  return a.name === b.name && a.type === b.type && a.column === b.column && a.required === b.required;
}

/** `users.full_name` and `User.fullName` name the same thing. */
export function plainName(name: string): string {
  return name.replace(/[_\-\s]/g, '').toLowerCase();
}

/** The concept of an entity: `User` for `UserDto`, `CreateUserInput`, `users`, `userSchema`. */
export function conceptOf(name: string): string {
  const bare = name
    .replace(/^.*\./, '')
    .replace(
      /(?:Dto|DTO|Schema|Input|Output|Request|Response|Payload|Type|Model|Entity|Row|Props|Table|In|Out|InDB|Read|Create|Update|Public|Base){1,5}$/,
      '',
    )
    .replace(/^(?:Create|Update|New|Base|I(?=[A-Z][a-z]))(?=[A-Z])/, '');
  const plain = plainName(bare === '' ? name : bare);
  if (plain.endsWith('ies')) return `${plain.slice(0, -3)}y`;
  return /(?:ss|us|is)$/.test(plain) ? plain : plain.replace(/s$/, '');
}
