import type { GateKind } from '#schema/gates.ts';

/** What a gate is called, and what that says of its kind. */
export interface GateName {
  readonly name: string;
  readonly kind: GateKind;
}

const plainNames: readonly (readonly [GateKind, RegExp])[] = [
  ['lint', /^lint(s|er|ers|ing)?$/],
  ['typecheck', /^(types?|type[ -]?check(s|er|ing)?|typing)$/],
  ['build', /^(builds?|building)$/],
  ['test', /^(tests?|testing)$/],
];

const telling: readonly (readonly [GateKind, RegExp])[] = [
  // They come on top of a project's tests, and rarely name each case.
  ['other', /e2e|end.to.end|integration/],
  ['test', /(^|[^\p{L}])(tests?|testing|unit|specs?)([^\p{L}]|$)/u],
  ['lint', /lint|format|fmt|prettier|style/],
  ['typecheck', /type.?check|types|tsc|mypy|pyright/],
  ['build', /build|compil/],
];

/** A name that is nothing but a kind: `lint`, `Type-check`, `Tests`. */
export function plainName(written: string): GateName | null {
  const name = tidy(written);
  const [kind] = plainNames.find(([, pattern]) => pattern.test(name)) ?? [];
  return kind === undefined ? null : { name: kind, kind };
}

/** Any name: what it is called, it is called; its kind decides when it runs and how its output is read. */
export function gateName(written: string): GateName {
  const name = tidy(written);
  const [kind = 'other'] = telling.find(([, pattern]) => pattern.test(name)) ?? [];
  return plainName(written) ?? { name: slug(name), kind };
}

export function slug(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
}

function tidy(written: string): string {
  return written.toLowerCase().replace(/[*_`]/g, ' ').replace(/\s+/g, ' ').trim();
}
