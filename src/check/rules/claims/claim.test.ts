import { expect, expectTypeOf, test } from 'vitest';
import { registry } from '#check/rules/registry.ts';
import type { Claimed, ClaimedFound, Rule, Said } from '#check/rules/rule.ts';
import { noFacts } from '#code/facts/no-facts.ts';
import { absent, absentFile, absentFromModule, alsoOpen, hadAndLost, isClosed } from '#code/link/absence.ts';
import type { AbsenceKind, ProblemOf, Report } from '#code/link/problem.ts';
import type { RuleId } from '#schema/rules.ts';
import { type Claim, claimAbsence } from './claim.ts';

const rules: readonly Rule[] = Object.values(registry);

/** Rules that are proven by two things that are both there, or by lines that git merged: no scope has to be asked. */
const meetings: readonly RuleId[] = [
  ...(['T01', 'T03', 'T04', 'T05', 'T06', 'T07', 'S17', 'S18', 'S19'] as const),
  ...(['C01', 'C06', 'C09', 'C12', 'M01', 'M03', 'M10'] as const),
  // The declared result of a call, against what the caller does with it; the types of the arguments.
  ...(['S04', 'S05', 'S07', 'S16'] as const),
];

test.each(rules)('$id says proven of an absence only after it asked', ({ id, proof, detect, claims }) => {
  if (!proof.includes('proven')) return;
  // The types of these places take only what `claim.ts` gives, or a checker decided.
  const isAskedByType = claims === 'absence' || detect.linked || detect.unresolved || detect.checker;
  expect([isAskedByType ? id : null, ...meetings]).toContain(id);
});

test('no code can write the word itself', () => {
  expectTypeOf<'proven'>().not.toExtend<Claim>();
  expectTypeOf<Claimed<Said>['confidence']>().toEqualTypeOf<Claim>();
  expectTypeOf<ClaimedFound['diagnosis']['confidence']>().toEqualTypeOf<Claim>();
  expectTypeOf<true>().not.toExtend<ProblemOf<AbsenceKind>['proven']>();
  expectTypeOf<Extract<Report, { kind: AbsenceKind }>>().not.toHaveProperty('proven');
  type Linked = NonNullable<Rule['detect']['linked']>;
  expectTypeOf<ReturnType<NonNullable<Linked['name-undefined']>>['confidence']>().toEqualTypeOf<Claim>();
  expectTypeOf<ReturnType<NonNullable<Rule['detect']['unresolved']>>>().toEqualTypeOf<ClaimedFound>();
});

test('anything that keeps a scope open makes it likely at most', () => {
  expect(claimAbsence(absent())).toBe('proven');
  expect(claimAbsence(absent('names made elsewhere'))).toBe('likely');
  expect(claimAbsence(alsoOpen(absent(), false, 'assumption'))).toBe('likely');
  expect(claimAbsence(absentFile(['src/generated/client.ts']))).toBe('likely');
  expect(isClosed(absentFile(['src/api/client.ts']))).toBe(true);
});

test('what the repository had and lost is proven where others could only have added to it', () => {
  expect(claimAbsence(hadAndLost(absent('package in parts')))).toBe('proven');
  expect(claimAbsence(hadAndLost(absent('names made elsewhere')))).toBe('likely');
});

test.each([
  ['a macro at the top', { ...noFacts, opaque: ['a macro at the top'] }, 'likely'],
  ['a module in place', { ...noFacts, unread: [{ name: 'Alert', as: 'name' as const }] }, 'likely'],
  ['a derived builder', { ...noFacts, unread: [{ name: 'Aler', as: 'part' as const }] }, 'likely'],
  ['another module in place', { ...noFacts, unread: [{ name: 'other', as: 'name' as const }] }, 'proven'],
  ['nothing', noFacts, 'proven'],
] as const)('a module with %s', (_, facts, confidence) => {
  expect(claimAbsence(absentFromModule('src/lib.rs', facts, 'Alert'))).toBe(confidence);
});
