import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { root } from '#scripts/root.ts';

const page = readFileSync(join(root, 'docs', 'architecture.md'), 'utf8');

describe('docs/architecture.md', () => {
  test.each(rowsOf(section('Where do I find …')))('%s', (_, places) => {
    expect(places.filter((place) => globSync(place, { cwd: root }).length === 0)).toEqual([]);
    expect(places.length).toBeGreaterThan(0);
  });

  test('names the modules that a check and a run pass through', () => {
    const text = page.slice(page.indexOf('## The path of a check'), page.indexOf('## The import graph'));
    const named = [...text.matchAll(/`([a-z][\w-]*\/[\w/*.-]+)`/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThan(20);
    // A step may leave out the room: `members/` after `check/check`.
    const places = (path: string) =>
      ['', 'check/', 'crew/'].flatMap((room) => [`src/${room}${path}`, `src/${room}${path}.ts`]);
    expect(named.filter((path) => globSync(places(path), { cwd: root }).length === 0)).toEqual([]);
  });

  test('lists every room once, with folders that exist', () => {
    const rows = section('Rooms, lowest layer first').matchAll(/^ {6}(\w+)\/ +(.*(?:\n {18}.*)*)/gm);
    const listed = [...rows].map(([, room = '', text = '']) => ({ room, text }));
    expect(listed.map(({ room }) => room).sort()).toEqual(readdirSync(join(root, 'src')).sort());
    const folders = listed.flatMap(({ room, text }) =>
      [...text.matchAll(/(?<![\w/])([a-z-]+)\//g)].map(([, folder]) => `src/${room}/${folder}`),
    );
    expect(folders.length).toBeGreaterThan(50);
    expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
  });
});

function section(title: string): string {
  return page.split(/^## /m).find((text) => text.startsWith(title)) ?? '';
}

/** `registry.ts` there: a file of the folder that the row has named before. */
function rowsOf(table: string): [looking: string, places: string[]][] {
  return [...table.matchAll(/^\| (?!looking for|---)(.*?) \| (.*) \|$/gm)].map(
    ([, looking = '', open = '']) => {
      const places: string[] = [];
      for (const [, name = ''] of open.matchAll(/`([^`]+)`/g)) {
        const place = name.replaceAll(/<\w+>/g, '*');
        const folder = places.at(-1)?.endsWith('/') ? places.at(-1) : dirname(places.at(-1) ?? '');
        places.push(/^(?:src|test|web)\//.test(place) ? place : join(folder ?? '', place));
      }
      return [looking, places];
    },
  );
}
