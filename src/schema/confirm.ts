/** Ways to prove a finding on a union, cheapest first. `build` and `tests` run code of the branches. */
export const confirmWays = ['types', 'build', 'tests'] as const;
export type ConfirmWay = (typeof confirmWays)[number];

/** `types`, `types,tests`, `none`: one word, or several without repeating any. */
export const confirmPattern = /^(none|(types|build|tests)(\s*,\s*(types|build|tests))*)$/;

/** Forms of the setting: `"types,tests"`, `["types", "tests"]`, `"none"`, `[]`. */
export type ConfirmSetting = string | readonly ConfirmWay[];

export function confirmList(setting: ConfirmSetting): ConfirmWay[] {
  const words: readonly string[] = typeof setting === 'string' ? setting.split(',') : setting;
  const named = new Set(words.map((word) => word.trim()));
  return confirmWays.filter((way) => named.has(way));
}

/** For checks that run no code of branches: type checkers or only facts. */
export function typesAlone(setting: ConfirmSetting): 'types' | 'none' {
  return confirmList(setting).includes('types') ? 'types' : 'none';
}
