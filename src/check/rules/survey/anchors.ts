import { isFixture, isTestCode } from '#tests/code/test-path.ts';
import type { ChangedText } from './changed-text.ts';
import { hasNames } from './distinctive-names.ts';

/** A new name with evidence of its concept: `userId` for `foreign key users.id`. */
export interface Anchored {
  readonly name: string;
  readonly anchor: string;
  readonly kind: 'foreign key' | 'environment variable' | 'column' | 'JSON path' | 'type' | 'value';
  readonly line: number;
}

type Form = readonly [Anchored['kind'], RegExp];

/** Each has the groups `name` and `anchor`. */
const forms: readonly Form[] = [
  [
    'foreign key',
    /(?:^|[(,])\s*["`]?(?<name>\w+)["`]?\s+\w[^,(]*(?:\(\d+\)[^,(]*)?\bREFERENCES\s+["`]?(?<anchor>\w+["`]?\s*\(\s*["`]?\w+)/i,
  ],
  [
    'foreign key',
    /^\s*(?<name>\w+)\s*(?::[^=]*)?=\s*(?:\w+\.)?(?:mapped_column|Column)\(.*ForeignKey\(\s*["'](?<anchor>\w+\.\w+)["']/,
  ],
  ['foreign key', /^\s*(?<name>\w+)\s*=\s*models\.(?:ForeignKey|OneToOneField)\(\s*["']?(?<anchor>[\w.]+)/],
  ['foreign key', /^\s*(?<name>\w+)\s*:\s*\w+\(.*\.references\(\(\)\s*=>\s*(?<anchor>\w+\.\w+)\s*\)/],
  ['foreign key', /^\s*\w+\s+(?<anchor>\w+)\??\s+@relation\(.*fields:\s*\[(?<name>\w+)\]/],
  [
    'environment variable',
    /^\s*(?:(?:export\s+)?(?:const|let|var)\s+)?(?<name>\w+)\s*[:=]\s*(?:process\.env\.|os\.environ\[["']|os\.environ\.get\(["']|os\.getenv\(["'])(?<anchor>\w+)/,
  ],
  [
    'column',
    /^\s*(?<name>\w+)\s*(?::[^=]*)?=\s*(?:\w+\.)?(?:mapped_column|Column)\(\s*["'](?<anchor>(?=\w[^\W_]*_\w)\w+)["']/,
  ],
  [
    'column',
    /^\s*(?<name>\w+)\s*:\s*(?:text|integer|varchar|uuid|serial|timestamp|boolean)\(\s*["'](?<anchor>(?=\w[^\W_]*_\w)\w+)["']/,
  ],
  ['column', /^\s*(?<name>\w+)\s+\w+\??\s.*@map\("(?<anchor>(?=\w[^\W_]*_\w)\w+)"\)/],
  [
    'JSON path',
    /^\s*(?:(?:const|let|var)\s+)?(?<name>\w+)\s*[:=]\s*(?:\w+\.)?(?:body|payload|json|event|message|row|record)(?<anchor>(?:\.\w+|\[["']\w+["']\]|\.get\(["']\w+["']\))+)\s*(?:[;,]\s*)?$/,
  ],
  // A dedicated type for an identity: `uid: UserId`.
  ['type', /(?:^|[\s({,])(?<name>[a-z_]\w*)\??\s*:\s*(?<anchor>[A-Z]\w*(?:Id|ID))\b/],
  // The value of a field: `uid: user.id`, `"user_id": user.id`, `user_id=user.pk`.
  [
    'value',
    /(?:^|[\s({,])["']?(?<name>\w+)["']?\s*[:=]\s*(?<anchor>[a-z]\w*\.(?:id|pk|uuid))\s*(?:[;,})\]]|$)/,
  ],
];

/** Names without a concept. */
const vague =
  /^(value|val|v|x|y|result|data|tmp|temp|raw|item|it|obj|arg|param|input|output|self|this|res|ret|env|default|name|key|id)$/i;

/** The declaration of a column names it for all code, so even `name` counts there: the other side calls it `display_name`. */
function saysNothing(kind: Anchored['kind'], name: string): boolean {
  return vague.test(name) && !(kind === 'column' && name !== 'id');
}

export function readAnchors({ path, added, isGone }: ChangedText): Anchored[] | undefined {
  if (isGone || isTestCode(path) || isFixture(path) || (!hasNames(path) && !path.endsWith('.sql')))
    return undefined;
  const found = added.flatMap(({ line, text }) =>
    forms.flatMap(([kind, form]): Anchored[] => {
      const { name = '', anchor = '' } = form.exec(text)?.groups ?? {};
      const plain = anchorOf(kind, anchor);
      return name === '' || plain === '' || saysNothing(kind, name)
        ? []
        : [{ name, anchor: plain, kind, line }];
    }),
  );
  return found.length > 50 ? undefined : found;
}

function anchorOf(kind: Anchored['kind'], written: string): string {
  const parts = written.split(/[^\w]+|get/).filter((part) => part !== '');
  if (kind === 'JSON path')
    return parts.length < 2 && !/_|[a-z][A-Z]/.test(parts[0] ?? '') ? '' : parts.join('.');
  return parts.join('.');
}
