import type { Anchored } from '#check/rules/survey/anchors.ts';

/** Words that mean the same in most projects. */
const groups: readonly (readonly string[])[] = [
  ['user', 'account', 'member', 'customer', 'client', 'person', 'uid', 'usr'],
  ['organization', 'organisation', 'org', 'company', 'tenant', 'workspace'],
  ['product', 'item', 'article'],
  ['order', 'purchase'],
];

type AnchoredName = Anchored & { readonly file: string };

/** Different names, with enough evidence that they mean the same. */
export function isOneConcept(a: AnchoredName, b: AnchoredName): boolean {
  const [left, right] = [wordsOf(a.name), wordsOf(b.name)];
  if (left.join(' ') === right.join(' ')) return a.name !== b.name && endingOf(a.file) === endingOf(b.file);
  const thing = thingOf(a);
  // author_id and reviewer_id may both refer to users: only names for the thing itself are one concept.
  return thing === null || (namesThing(left, thing) && namesThing(right, thing));
}

/** The thing behind evidence that may have several roles: `user` for a key to users.id, the type UserId, or user.id; else null. */
function thingOf({ kind, anchor }: Anchored): string | null {
  const parts = anchor.split('.');
  switch (kind) {
    case 'foreign key':
      return (parts.at(parts.length > 1 ? -2 : -1) ?? '').toLowerCase().replace(/s$/, '');
    case 'type':
      return anchor.replace(/Id$/i, '').toLowerCase();
    case 'value':
      return (parts[0] ?? '').toLowerCase();
    case 'environment variable':
    case 'column':
    case 'JSON path':
      return null;
  }
}

function namesThing(words: readonly string[], thing: string): boolean {
  const plain = words.filter((word) => !['id', 'fk', 'pk', 'uuid'].includes(word)).join('');
  const group = groups.find((each) => each.includes(thing)) ?? [];
  return plain === thing || group.includes(plain);
}

/** `user id` for `userId`, `user_id`, `USER_ID`. */
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
