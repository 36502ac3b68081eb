import { filesOf, inTurn, seeding } from '../coherence/kit.ts';

function revision(own: string, parent: string | null, column: string): string {
  return `import sqlalchemy as sa\nfrom alembic import op\n\nrevision = "${own}"\ndown_revision = ${parent === null ? 'None' : `"${parent}"`}\n\n\ndef upgrade():\n    op.add_column("rows", sa.Column("${column}", sa.Text()))\n\n\ndef downgrade():\n    op.drop_column("rows", "${column}")\n`;
}

function django(app: string, parent: string | null, field: string): string {
  const operation =
    parent === null
      ? 'migrations.CreateModel("Row", fields=[("id", models.AutoField(primary_key=True))])'
      : `migrations.AddField("row", "${field}", models.TextField(null=True))`;
  const before = parent === null ? '' : `("${app}", "${parent}")`;
  return `from django.db import migrations, models\n\n\nclass Migration(migrations.Migration):\n    dependencies = [${before}]\n\n    operations = [\n        ${operation},\n    ]\n`;
}

export const migrations = [
  seeding(
    { name: 'two heads, Alembic', rule: 'M01', oracle: 'frameworks' },
    ({ words: [first, second, third] }) => {
      const at = (name: string) => `alembic/versions/${name}.py`;
      const consumerFile = at(`b_${second}`);
      const a = filesOf([at(`a_${first}`), revision(`a${first}`, 'root', first)]);
      return {
        base: filesOf([at('root'), revision('root', null, 'note')]),
        a,
        b: filesOf([consumerFile, revision(`b${second}`, 'root', second)]),
        // A file that is not a revision takes no place in the sequence.
        twin: { a, b: filesOf([`alembic/${third}.py`, `NOTE = "${second}"\n`]) },
        consumerFile,
        symbol: 'alembic/versions',
      };
    },
  ),
  seeding(
    { name: 'two leaves, Django', rule: 'M01', oracle: 'frameworks' },
    ({ words: [first, second, third], n }) => {
      const app = 'shopping';
      const at = (own: string, name: string) => `${own}/migrations/${name}.py`;
      const number = inTurn(['0002', '0003'], n);
      const consumerFile = at(app, `${number}_${second}`);
      const a = filesOf([at(app, `0002_a_${first}`), django(app, '0001_initial', first)]);
      return {
        base: filesOf(
          [at(app, '0001_initial'), django(app, null, '')],
          [at('billing', '0001_initial'), django('billing', null, '')],
        ),
        a,
        b: filesOf([consumerFile, django(app, '0001_initial', second)]),
        twin: {
          a,
          b: filesOf([at('billing', `${number}_${third}`), django('billing', '0001_initial', second)]),
        },
        consumerFile,
        symbol: 'migrations',
      };
    },
  ),
];
