import type { z } from 'zod';
import { findJson, isObject } from '#agents/stream/find-json.ts';
import { camelKeys } from '#lib/camel-keys.ts';
import {
  ContractGap,
  Duplicate,
  Inconsistency,
  InterfaceMismatch,
  MissingConnection,
  type ModelPlace,
  Remark,
} from '#schema/opinion.ts';
import type { Category } from '#schema/vocabulary.ts';
import type { Claim, ClaimedPlace } from './claim.ts';

export type ReadOpinion =
  | {
      readonly status: 'read';
      /** The model's own verdict. */
      readonly said: string | null;
      readonly summary: string;
      readonly claims: readonly Claim[];
      readonly criticalIssues: readonly string[];
      readonly recommendations: readonly string[];
      /** Parts that do not have the requested form. */
      readonly unread: readonly string[];
    }
  | { readonly status: 'unusable'; readonly reason: string };

/** A longer list is not a useful answer about a few branches. */
const mostEntries = 200;
const mostWords = 4000;

const lists = [
  'interfaceMismatches',
  'schemaInconsistencies',
  'namingInconsistencies',
  'behaviourConflicts',
  'duplicates',
  'missingConnections',
  'contractGaps',
] as const;
type List = (typeof lists)[number];

/** Reads a model's answer: bare JSON, fenced, or in the middle of prose. */
export function readOpinion(text: string): ReadOpinion {
  const isAnswer = (value: unknown) => {
    const keys = camelKeys(value);
    return isObject(keys) && [...lists, 'status'].some((key) => key in keys);
  };
  const found = camelKeys(findJson(text, isAnswer));
  if (!isObject(found))
    return {
      status: 'unusable',
      reason: 'it holds no JSON object with "status" or a list of findings',
    };
  const unread: string[] = [];
  const entries = <T extends z.ZodType>(key: string, schema: T) => readList(found[key], key, schema, unread);
  const claims = [
    ...entries('interfaceMismatches', InterfaceMismatch).map(({ entry, value }) => ({
      ...claimOf(entry, 'interface', value.severity, value.description, [value.taskA, value.taskB]),
      places: [
        placeOf(value.locationA, value.taskA, 'provider'),
        placeOf(value.locationB, value.taskB, 'consumer'),
      ],
    })),
    ...alike('schemaInconsistencies', 'schema'),
    ...alike('namingInconsistencies', 'naming'),
    ...alike('behaviourConflicts', 'behaviour'),
    ...entries('duplicates', Duplicate).map(({ entry, value }) => ({
      ...claimOf(entry, 'duplicate', value.severity, value.description, value.branches),
      places: value.locations.map((place) => placeOf(place, null, 'consumer')),
    })),
    ...entries('missingConnections', MissingConnection).map(({ entry, value }) => ({
      ...claimOf(entry, 'connection', value.severity, value.description, value.branches),
      places: [value.expectedIn, ...value.locations].map((place) => placeOf(place, null, 'consumer')),
    })),
    ...entries('contractGaps', ContractGap).flatMap(({ entry, value }) =>
      value.status === 'satisfied'
        ? []
        : {
            ...claimOf(entry, 'contract', value.status === 'missing' ? 'major' : 'minor', wordsOf(value), []),
            contractItem: value.contractItem,
          },
    ),
  ];
  return {
    status: 'read',
    said: typeof found.status === 'string' ? found.status.slice(0, 40) : null,
    summary: typeof found.summary === 'string' ? found.summary.trim().slice(0, mostWords) : '',
    claims,
    criticalIssues: entries('criticalIssues', Remark).map(({ value }) => value),
    recommendations: entries('recommendations', Remark).map(({ value }) => value),
    unread,
  };

  function alike(key: List, category: Category): Claim[] {
    return entries(key, Inconsistency).map(({ entry, value }) => ({
      ...claimOf(entry, category, value.severity, value.description, value.branches),
      places: value.locations.map((place) => placeOf(place, null, 'consumer')),
    }));
  }
}

function readList<T extends z.ZodType>(
  value: unknown,
  key: string,
  schema: T,
  unread: string[],
): { readonly entry: string; readonly value: z.output<T> }[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) {
    unread.push(`${key}: it is not a list`);
    return [];
  }
  if (value.length > mostEntries)
    unread.push(`${key}: only the first ${mostEntries} of ${value.length} are read`);
  return value.slice(0, mostEntries).flatMap((item, index) => {
    const entry = `${key}[${index}]`;
    const parsed = schema.safeParse(item);
    if (parsed.success) return [{ entry, value: parsed.data }];
    const [issue] = parsed.error.issues;
    unread.push(`${entry}: ${issue?.path.join('.') || 'it'}: ${issue?.message}`);
    return [];
  });
}

function claimOf(
  entry: string,
  category: Category,
  severity: Claim['severity'],
  says: string,
  branches: readonly string[],
): Claim {
  return { entry, category, severity, says, branches, places: [], contractItem: null };
}

function wordsOf({ contractItem, status, notes }: z.output<typeof ContractGap>): string {
  return `${contractItem} is ${status}${notes === '' ? '' : `: ${notes}`}`;
}

/** `src/a.ts:12`, `src/a.ts:12-14`, `src/a.ts:12:3`, `src/a.ts:12#User.name`, `src/a.ts:12 (User.name)`, `src/a.ts`. */
const written =
  /^(?<file>[^#]*?)(?::(?<line>\d{1,9})(?:[-:]\d{1,9})?)?(?:\s{0,20}#\s*(?<symbol>\S+)|\s{1,20}\((?<named>[^()\s]+)(?:\(\))?\))?$/;

function placeOf(place: ModelPlace, branch: string | null, role: ClaimedPlace['role']): ClaimedPlace {
  if (typeof place !== 'string') {
    const { file, line, symbol } = place;
    return {
      branch: place.branch ?? branch,
      file: plainPath(file),
      line: line ?? null,
      symbol: symbol ?? null,
      role,
    };
  }
  const { file = place, line, symbol, named } = written.exec(place)?.groups ?? {};
  return {
    branch,
    file: plainPath(file),
    line: line === undefined ? null : Number(line),
    symbol: symbol ?? named ?? null,
    role,
  };
}

function plainPath(path: string): string {
  return path.trim().replace(/^(?:\.\/)+/, '');
}
