import { capital, filesOf, inTurn, type Making, seeding } from '../coherence/kit.ts';

const folder = 'db/migrations';

/** A table named by words of the project, as SQLite creates it, with or without quotes around names. */
function tableOf({ words: [table, column], n }: Making) {
  const mark = inTurn(['', '"', '`'], n);
  const name = (word: string) => `${mark}${word}${mark}`;
  const base = filesOf([
    `${folder}/0001_init.sql`,
    `CREATE TABLE ${name(`${table}_rows`)} (\n  ${name('id')} integer PRIMARY KEY,\n  ${name(column)} text,\n  ${name('other')} integer NOT NULL DEFAULT 0\n);\n`,
  ]);
  return { name, base, table: name(`${table}_rows`), plain: `${table}_rows` };
}

export const sql = [
  seeding({ name: 'query of a column', rule: 'C08', oracle: 'sqlite' }, (making) => {
    const { name, base, table } = tableOf(making);
    const [, column, third] = making.words;
    const gone = inTurn(
      [`DROP COLUMN ${name(column)}`, `RENAME COLUMN ${name(column)} TO ${name(`new_${third}`)}`],
      making.n,
    );
    const a = filesOf([`${folder}/0002_${third}.sql`, `ALTER TABLE ${table} ${gone};\n`]);
    const query = (of: string) =>
      inTurn(
        [
          `SELECT ${name(of)} FROM ${table} WHERE ${name('id')} = 1;\n`,
          `SELECT r.${name(of)} FROM ${table} r;\n`,
          `UPDATE ${table} SET ${name(of)} = 'x';\n`,
        ],
        making.n >> 1,
      );
    const consumerFile = `db/queries/${third}.sql`;
    return {
      base,
      a,
      b: filesOf([consumerFile, query(column)]),
      twin: { a, b: filesOf([consumerFile, query('other')]) },
      consumerFile,
      symbol: column,
    };
  }),
  seeding({ name: 'query in a string', rule: 'C08', oracle: 'sqlite' }, (making) => {
    const { name, base, table } = tableOf(making);
    const [, column, third] = making.words;
    const a = filesOf([`${folder}/0002_${third}.sql`, `ALTER TABLE ${table} DROP COLUMN ${name(column)};\n`]);
    const consumerFile = `src/${third}Rows.ts`;
    const code = (of: string) =>
      `import { query } from './database.ts';\n\nexport const all${capital(third)} = () => query('SELECT ${name(of)} FROM ${table}');\n`;
    return {
      base: new Map([
        ...base,
        ['src/database.ts', 'export function query(text: string): string {\n  return text;\n}\n'],
      ]),
      a,
      b: filesOf([consumerFile, code(column)]),
      twin: { a, b: filesOf([consumerFile, code('other')]) },
      consumerFile,
      symbol: column,
    };
  }),
  seeding({ name: 'column behind a model', rule: 'C08', oracle: 'models' }, (making) => {
    const { base, plain } = tableOf({ ...making, n: 0 });
    const [table, column, third] = making.words;
    const model = capital(table);
    const models = (first: string) =>
      `from sqlalchemy import Column, Integer, Text\nfrom sqlalchemy.orm import declarative_base\n\nBase = declarative_base()\n\n\nclass ${model}(Base):\n    __tablename__ = "${plain}"\n    id = Column(Integer, primary_key=True)\n    ${first} = Column(Text)\n    other = Column(Integer)\n`;
    const renamed = `new_${third}`;
    const migration = `ALTER TABLE ${plain} RENAME COLUMN ${column} TO ${renamed};\n`;
    // Every other time the branch forgets the model: then the database refuses, not the class.
    const a = filesOf(
      [`${folder}/0002_${third}.sql`, migration],
      ...(making.n % 2 === 0 ? [['app/models.py', models(renamed)] as const] : []),
    );
    const consumerFile = `app/${third}_rows.py`;
    const code = (of: string) => {
      const query = inTurn(
        [
          `session.query(${model}.${of}).all()`,
          `session.query(${model}).filter(${model}.${of} == "x").all()`,
          `session.query(${model}).filter_by(${of}="x").all()`,
        ],
        making.n >> 1,
      );
      return `from app.models import ${model}\n\n\ndef load(session):\n    return ${query}\n`;
    };
    return {
      base: new Map([...base, ['app/models.py', models(column)]]),
      a,
      b: filesOf([consumerFile, code(column)]),
      // A query of whole rows reads the renamed column, too, unless its model knows.
      twin: {
        a: filesOf([`${folder}/0002_${third}.sql`, migration], ['app/models.py', models(renamed)]),
        b: filesOf([consumerFile, code('other')]),
      },
      consumerFile,
      symbol: column,
    };
  }),
  seeding({ name: 'column added twice', rule: 'C09', oracle: 'sqlite' }, (making) => {
    const { name, base, table } = tableOf(making);
    const [, , third] = making.words;
    const add = (column: string, type: string) =>
      `ALTER TABLE ${table} ADD COLUMN ${name(column)} ${type};\n`;
    const types = inTurn(
      [
        ['text', 'integer'],
        ['text', 'text'],
        ['real', 'integer NOT NULL DEFAULT 1'],
      ],
      making.n,
    );
    const consumerFile = `${folder}/0003_b.sql`;
    const a = filesOf([`${folder}/0002_a.sql`, add(third, types[0] ?? '')]);
    return {
      base,
      a,
      b: filesOf([consumerFile, add(third, types[1] ?? '')]),
      twin: { a, b: filesOf([consumerFile, add(`${third}_b`, types[1] ?? '')]) },
      consumerFile,
      symbol: third,
    };
  }),
  seeding({ name: 'rename, then use', rule: 'M02', oracle: 'sqlite' }, (making) => {
    const { name, base, table, plain } = tableOf(making);
    const [, column, third] = making.words;
    const isTable = making.n % 2 === 1;
    const a = filesOf([
      `${folder}/0002_a.sql`,
      isTable
        ? `ALTER TABLE ${table} RENAME TO ${name(`${third}_list`)};\n`
        : `ALTER TABLE ${table} RENAME COLUMN ${name(column)} TO ${name(third)};\n`,
    ]);
    const fill = (of: string) => `UPDATE ${table} SET ${name(of)} = 'x' WHERE ${name(of)} IS NULL;\n`;
    const consumerFile = `${folder}/0003_b.sql`;
    const fine = isTable ? `CREATE TABLE ${name(`${third}_more`)} (${name('id')} integer);\n` : fill('other');
    return {
      base,
      a,
      b: filesOf([consumerFile, fill(column)]),
      twin: { a, b: filesOf([consumerFile, fine]) },
      consumerFile,
      symbol: isTable ? plain : column,
    };
  }),
  seeding({ name: 'made twice', rule: 'M03', oracle: 'sqlite' }, (making) => {
    const { name, base, table } = tableOf(making);
    const [, column, third] = making.words;
    const make = inTurn(
      [
        (of: string, type: string) => `CREATE TABLE ${name(of)} (${name('id')} ${type});\n`,
        (of: string, _: string) => `CREATE INDEX ${name(of)} ON ${table} (${name(column)});\n`,
      ],
      making.n,
    );
    const consumerFile = `${folder}/0003_b.sql`;
    const a = filesOf([`${folder}/0002_a.sql`, make(third, 'integer')]);
    return {
      base,
      a,
      b: filesOf([consumerFile, make(third, 'text')]),
      twin: { a, b: filesOf([consumerFile, make(`${third}_b`, 'text')]) },
      consumerFile,
      symbol: third,
    };
  }),
  // After both migrations the column is gone, which shows only where it is read.
  seeding({ name: 'table made anew', rule: 'C07', oracle: 'sqlite' }, (making) => {
    const { name, base, table, plain } = tableOf(making);
    const [, column, third] = making.words;
    const anew = (file: string) =>
      filesOf([
        file,
        [
          `CREATE TABLE ${name(`new_${plain}`)} (${name('id')} integer PRIMARY KEY, ${name(column)} text, ${name('other')} text);`,
          `INSERT INTO ${name(`new_${plain}`)} SELECT ${name('id')}, ${name(column)}, ${name('other')} FROM ${table};`,
          `DROP TABLE ${table};`,
          `ALTER TABLE ${name(`new_${plain}`)} RENAME TO ${table};`,
          '',
        ].join('\n'),
      ]);
    const side = (number: string) =>
      filesOf(
        [`${folder}/${number}_a.sql`, `ALTER TABLE ${table} ADD COLUMN ${name(third)} text;\n`],
        [`db/queries/${third}.sql`, `SELECT ${name(third)} FROM ${table};\n`],
      );
    return {
      base,
      a: side('0002'),
      b: anew(`${folder}/0003_b.sql`),
      twin: { a: side('0003'), b: anew(`${folder}/0002_b.sql`) },
      consumerFile: `${folder}/0003_b.sql`,
      symbol: third,
    };
  }),
];
