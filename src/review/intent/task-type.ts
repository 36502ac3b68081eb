import type { TaskType } from '#schema/review.ts';

export interface TaskHints {
  /** Title and description as somebody wrote them. */
  readonly text: string;
  readonly branch: string;
  /** Files that the work changes or will change. */
  readonly files: readonly string[];
  /** Type of the issue in a tracker: `Bug`, `Story`. */
  readonly issueType?: string;
}

/** The deciding rule is part of the answer, so that the table can be tested rule by rule. */
export interface TypedTask {
  readonly type: TaskType;
  readonly rule: 'design-link' | 'instruction-file' | 'files' | 'issue-type' | 'branch' | 'words' | 'default';
}

/** The kind of a task by the first rule that matches; no model is asked. */
export function taskTypeOf({ text, branch, files, issueType = '' }: TaskHints): TypedTask {
  if (/https?:\/\/(?:[\w-]+\.)?figma\.com\/\S/i.test(text)) return { type: 'component', rule: 'design-link' };
  const instruction =
    /(?:^|[\s`'"(])(?:[\w.-]+\/)*(?<name>component|bugfix|refactor|chore|feature)[\w-]*\.md\b/i.exec(text);
  if (instruction?.groups?.name)
    return { type: instruction.groups.name.toLowerCase() as TaskType, rule: 'instruction-file' };
  const ofFiles = typeOfFiles(files);
  if (ofFiles) return { type: ofFiles, rule: 'files' };
  const ofIssue = typeOfIssue(issueType);
  if (ofIssue) return { type: ofIssue, rule: 'issue-type' };
  const ofBranch = typeOfBranch(branch);
  if (ofBranch) return { type: ofBranch, rule: 'branch' };
  const ofWords = typeOfWords(text);
  return ofWords ? { type: ofWords, rule: 'words' } : { type: 'feature', rule: 'default' };
}

const housekeeping =
  /(^|\/)(\.github\/|\.gitlab-ci|\.editorconfig|\.gitignore|\.npmrc|Dockerfile$|renovate\.json|dependabot\.yml|CHANGELOG|LICENSE|docs\/|package(-lock)?\.json$|pnpm-lock|yarn\.lock|poetry\.lock|requirements[\w-]*\.txt$|tsconfig[\w.-]*\.json$|biome\.json$|\.eslintrc)|\.md$/i;

/** Only if all files agree: a chore touches nothing that runs. */
function typeOfFiles(files: readonly string[]): TaskType | null {
  if (files.length === 0) return null;
  return files.every((path) => housekeeping.test(path)) ? 'chore' : null;
}

function typeOfIssue(issueType: string): TaskType | null {
  const known: Readonly<Record<string, TaskType>> = {
    bug: 'bugfix',
    defect: 'bugfix',
    incident: 'bugfix',
    story: 'feature',
    feature: 'feature',
    'new feature': 'feature',
    improvement: 'feature',
    'technical debt': 'refactor',
    refactoring: 'refactor',
    chore: 'chore',
    maintenance: 'chore',
  };
  return known[issueType.trim().toLowerCase()] ?? null;
}

/** `fix/login`, `users/ada/feat-42`: the first word of a segment that is a type. */
function typeOfBranch(branch: string): TaskType | null {
  const known: Readonly<Record<string, TaskType>> = {
    fix: 'bugfix',
    bugfix: 'bugfix',
    bug: 'bugfix',
    hotfix: 'bugfix',
    feat: 'feature',
    feature: 'feature',
    refactor: 'refactor',
    chore: 'chore',
    build: 'chore',
    ci: 'chore',
    docs: 'chore',
    deps: 'chore',
    component: 'component',
    ui: 'component',
  };
  for (const segment of branch.toLowerCase().split('/')) {
    const [word = ''] = segment.split(/[-_]/);
    const type = known[word];
    if (type) return type;
  }
  return null;
}

/** Whole words only: "prefix" fixes nothing and "bumper" bumps nothing. */
const words: readonly (readonly [RegExp, TaskType])[] = [
  [/\b(fix(es|ed)?|bug|crash(es|ed|ing)?|regression|broken|wrong|fails?|incorrect(ly)?)\b/i, 'bugfix'],
  [/\b(refactor(s|ed|ing)?|rename|restructure|clean ?up|simplify|extract|deduplicate)\b/i, 'refactor'],
  [/\b(bump|upgrade|dependenc(y|ies)|changelog|licen[cs]e|lint(er)?|ci)\b/i, 'chore'],
  [/\b(component|button|dialog|modal|screen|widget)\b/i, 'component'],
  [/\b(add|support|implement|introduce|allow|let|create|new)\b/i, 'feature'],
];

/** The first matching word decides: "Add a button" is a feature. */
function typeOfWords(text: string): TaskType | null {
  const found = words.flatMap(([pattern, type]) => {
    const match = pattern.exec(text);
    return match ? [{ type, at: match.index }] : [];
  });
  return found.toSorted((a, b) => a.at - b.at)[0]?.type ?? null;
}
