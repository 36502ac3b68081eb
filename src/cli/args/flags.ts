import type { Override } from '#app/workplace/settings.ts';
import type { CommandTable, Option } from './table.ts';

/** Settings that were typed as options. */
export function flagsOf(table: CommandTable, typed: Readonly<Record<string, unknown>>): Override[] {
  return table.options.flatMap((option: Option) => {
    const value = typed[option.name];
    if (option.config === undefined || value === undefined) return [];
    const isChecked = option.type === 'boolean' || option.values !== undefined;
    const origin = { kind: 'flag', name: `--${option.name}` } as const;
    const meant = option.type === 'boolean' && value === true ? (option.means ?? true) : value;
    return [{ key: option.config, value: meant, origin, isChecked }];
  });
}
