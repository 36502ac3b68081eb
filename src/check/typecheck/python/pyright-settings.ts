import { type AllowList, flag, keep, path, paths, type Setting, version, word } from './settings.ts';

const flags = [
  'analyzeUnannotatedFunctions',
  'deprecateTypingAliases',
  'disableBytesTypePromotions',
  'enableExperimentalFeatures',
  'enableReachabilityAnalysis',
  'enableTypeIgnoreComments',
  'strictDictionaryInference',
  'strictListInference',
  'strictParameterNoneValue',
  'strictSetInference',
  'useLibraryCodeForTypes',
];

const allowed: AllowList = new Map([
  ...flags.map((name) => [name, flag] as const),
  ['pythonVersion', version],
  ['pythonPlatform', word],
  ['typeCheckingMode', word],
  ['name', word],
  ['root', path],
  ['stubPath', path],
  ['extraPaths', paths],
  ['include', paths],
  ['exclude', paths],
  ['ignore', paths],
  ['strict', paths],
]);

const rule = /^report[A-Z][A-Za-z]*$/;
const levels = new Set(['none', 'information', 'warning', 'error']);
const level = (value: unknown): Setting | null =>
  typeof value === 'boolean' || levels.has(String(value)) ? (value as Setting) : null;

const keepAllowed = (settings: unknown) =>
  keep((settings ?? {}) as Readonly<Record<string, unknown>>, (key) =>
    rule.test(key) ? level : allowed.get(key),
  );

/** A pyrightconfig.json, or the table `tool.pyright` of pyproject.toml, as Joinery passes it. */
export function pyrightSettings(settings: Readonly<Record<string, unknown>>): string {
  const environments = Array.isArray(settings.executionEnvironments)
    ? settings.executionEnvironments.map((each: unknown) => Object.fromEntries(keepAllowed(each)))
    : null;
  const constants = keep((settings.defineConstant ?? {}) as Readonly<Record<string, unknown>>, (key) =>
    /^\w+$/.test(key) ? constant : undefined,
  );
  return JSON.stringify({
    ...Object.fromEntries(keepAllowed(settings)),
    ...(environments ? { executionEnvironments: environments } : {}),
    ...(constants.length > 0 ? { defineConstant: Object.fromEntries(constants) } : {}),
  });
}

const constant = (value: unknown): Setting | null => (typeof value === 'boolean' ? value : word(value));
