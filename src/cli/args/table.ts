import type { ConfigKey } from '#app/workplace/settings.ts';
import type { ExitName } from '#schema/exit-codes.ts';

interface OptionBase {
  readonly name: string;
  readonly short?: string;
  readonly description: string;
  /** The setting this option overrides; its variable and its default come from the config. */
  readonly config?: ConfigKey;
}

/** `--name`. */
interface Flag extends OptionBase {
  readonly type: 'boolean';
  /** `--no-name` turns off what the project turned on. */
  readonly negatable?: boolean;
  /** The value of the setting that this flag stands for; default: true. */
  readonly means?: string;
}

/** `--name <placeholder>`. */
interface Valued extends OptionBase {
  readonly type: 'string';
  readonly placeholder: string;
  readonly values?: readonly string[];
  /** Several values, separated by commas. `none` must be the only one. */
  readonly isList?: true;
  /** May be given several times; the values are lines. */
  readonly isRepeatable?: true;
  readonly default?: string;
}

export type Option = Flag | Valued;

export interface Positional {
  readonly name: string;
  readonly description: string;
  readonly values?: readonly string[];
  readonly optional?: boolean;
  readonly variadic?: boolean;
}

/** The description of a command: parsing, help and the docs page are generated from it. */
export interface CommandTable {
  readonly name: string;
  /** Half a line, without a full stop. */
  readonly summary: string;
  readonly description: string;
  readonly positionals: readonly Positional[];
  readonly options: readonly Option[];
  readonly examples: readonly { readonly command: string; readonly meaning: string }[];
  /** Only where this command says more than the general meaning. */
  readonly exitCodes: Partial<Record<ExitName, string>>;
  /** What Ctrl-C leaves behind and what to type then; printed as `interrupted: …`. Without it the command says so itself. */
  readonly whenInterrupted?: string;
}

type ValueOf<O extends Option> = O extends { readonly type: 'boolean' }
  ? boolean | undefined
  : O extends { readonly isList: true } | { readonly isRepeatable: true }
    ? string | undefined
    : O extends { readonly values: readonly (infer Value)[] }
      ? Value | (O extends { readonly default: string } ? never : undefined)
      : string | (O extends { readonly default: string } ? never : undefined);

/** Typed values by option name; undefined if nothing was typed and the table has no default. */
export type OptionValues<Options extends readonly Option[]> = {
  readonly [O in Options[number] as O['name']]: ValueOf<O>;
};
