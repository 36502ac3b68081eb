import { Plan } from '#schema/plan.ts';

/**
 * Two tasks, each correct on its own: a report calls a function, and another task renames that function once the report is
 * accepted, so that the report needs a rework.
 */
export const shapesCode = {
  'src/shapes.ts':
    'export function area(width: number, height: number): number {\n  return width * height;\n}\n',
  'src/room.ts': "import { area } from './shapes.ts';\n\nexport const room = area(3, 4);\n",
};

export const shapesReport = (name: string) =>
  `import { ${name} } from './shapes.ts';\n\nexport function report(): string {\n  return String(${name}(1, 2));\n}\n`;

export const shapesPlan: Plan = Plan.parse({
  schema: 'joinery/plan@1',
  tasks: [
    {
      id: 'report',
      title: 'Report areas',
      files: ['src/report.ts', 'src/report.test.ts'],
    },
    {
      id: 'rename',
      title: 'Call areas surfaces',
      files: ['src/shapes.ts', 'src/room.ts', 'src/shapes.test.ts'],
    },
  ],
});

export const write = (path: string, content: string) => ({ write: { path, content } });
export const testFile = (name: string) =>
  `test('${name}', () => {\n  expect(${name}()).toBeDefined();\n});\n`;

/** Calls `area`, which the other task renames after this work was accepted. */
export const reportWork = {
  task: 'report',
  do: [write('src/report.ts', shapesReport('area')), write('src/report.test.ts', testFile('report'))],
};
export const renameWork = {
  task: 'rename',
  do: [
    { awaits: 'report' },
    write('src/shapes.ts', shapesCode['src/shapes.ts'].replace('area', 'surface')),
    write('src/room.ts', shapesCode['src/room.ts'].replaceAll('area', 'surface')),
    write('src/shapes.test.ts', testFile('surface')),
  ],
};
