import type { Anchored } from '#check/rules/survey/anchors.ts';

/** Words that stand for the same thing in most projects. */
const groups: readonly (readonly string[])[] = [
  ['user', 'account', 'member', 'customer', 'client', 'person', 'uid', 'usr'],
  ['organization', 'organisation', 'org', 'company', 'tenant', 'workspace'],
  ['product', 'item', 'article'],
  ['order', 'purchase'],
];

type Named = Anchored & { readonly file: string };

/** Different names, and the evidence is enough to say that they mean one thing. */
export function isOneConcept(a: Named, b: Named): boolean {
  const [left, right] = [wordsOf(a.name), wordsOf(b.name)];
  if (left.join(' ') === right.join(' ')) return a.name !== b.name && endingOf(a.file) === endingOf(b.file);
  if (a.kind !== 'foreign key') return true;
  // author_id and reviewer_id may both lead to users: only names for the table itself are one concept.
  const table = (a.anchor.split('.').at(a.anchor.includes('.') ? -2 : -1) ?? '')
    .toLowerCase()
    .replace(/s$/, '');
  return namesTable(left, table) && namesTable(right, table);
}

function namesTable(words: readonly string[], table: string): boolean {
  const plain = words.filter((word) => word !== 'id' && word !== 'fk').join('');
  const group = groups.find((each) => each.includes(table)) ?? [];
  return plain === table || group.includes(plain);
}

/** `user id` of `userId`, `user_id`, `USER_ID`. */
function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[_\W]+/)
    .filter((word) => word !== '');
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.'));
}
