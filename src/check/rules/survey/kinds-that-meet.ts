import { allKinds, type FileNews, type NewsKind } from './readings.ts';

/**
 * A rule compares news of one side with news of another. By kind on the one side: the kinds on the other that it is compared with. `always`:
 * also with something that is not news.
 */
const metBy: Readonly<Record<NewsKind, readonly NewsKind[] | 'always'>> = {
  names: ['names'],
  things: ['things'],
  roles: ['roles'],
  // K03 compares changed functions with snapshots.
  code: 'always',
  constants: ['constants'],
  anchors: ['anchors'],
  // K04 compares dropped tests with changed functions.
  tests: ['tests', 'code'],
  registrations: ['registrations'],
  // M06 compares removed packages with new imports.
  dependencies: ['dependencies', 'imports'],
  imports: ['dependencies'],
  environment: ['environment'],
  keys: ['keys'],
  strictness: ['strictness'],
  resources: ['resources'],
  data: ['data'],
};

/** The kinds of news of one side that can meet what another side has: all others need not be read. */
export function kindsThatMeet(others: Iterable<FileNews>): NewsKind[] {
  const present = new Set([...others].flatMap((news) => Object.keys(news) as NewsKind[]));
  return allKinds.filter((kind) => {
    const partners = metBy[kind];
    return partners === 'always' || partners.some((partner) => present.has(partner));
  });
}
