import type { CommandTable } from './table.ts';

/** Commands with which a person decides; of some only these actions. Work may neither land, answer, steer, spend nor trust. */
const deciding: Readonly<Record<string, 'always' | readonly string[]>> = {
  run: 'always',
  resume: 'always',
  retry: 'always',
  steer: 'always',
  stop: 'always',
  rework: 'always',
  fork: 'always',
  cancel: 'always',
  prune: 'always',
  rebuild: 'always',
  undo: 'always',
  defect: 'always',
  ui: 'always',
  init: 'always',
  questions: ['answer'],
  workflow: ['run', 'gate', 'import', 'prune', 'rotate-keys'],
  hooks: ['install', 'uninstall'],
  mcp: ['install', 'uninstall'],
  memory: ['add', 'forget'],
};

/** Options that decide, whatever the command: what was found is accepted, paid for, moved or run without protection. */
const decidingOptions = [
  ...['accept', 'decisions', 'land', 'unproven', 'yes', 'force', 'no-sandbox'],
  ...['update-checkout', 'budget', 'budget-tokens', 'trust'],
];

interface Typed {
  readonly options: Readonly<Record<string, unknown>>;
  readonly globals: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

/** What of a typed command is for a person, in its own words; null if nothing is. */
export function decisionIn({ name }: Pick<CommandTable, 'name'>, typed: Typed): string | null {
  const [action = ''] = typed.positionals;
  const when = deciding[name];
  if (when === 'always') return `joinery ${name}`;
  if (when?.includes(action)) return `joinery ${name} ${action}`;
  const isSet = (each: string) =>
    ![undefined, false].includes((typed.options[each] ?? typed.globals[each]) as undefined);
  const option = decidingOptions.find(isSet);
  return option === undefined ? null : `joinery ${name} --${option}`;
}
