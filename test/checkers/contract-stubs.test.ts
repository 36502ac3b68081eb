import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GitRepository } from '#test/support/git-repository.ts';
import { joinery, temporaryFolder } from '#test/support/joinery.ts';

const contract = {
  entities: [
    { name: 'Quote', type: 'type', path: 'shop/pricing.py', key_fields: ['sku', 'tags'] },
    { name: 'PriceOf', type: 'function', path: 'shop/pricing.py', function: 'price_of(quote, discount)' },
    { name: 'Name', type: 'function', path: 'shop/pricing.py', function: 'Quote.name', key_fields: ['long'] },
  ],
};
const pricing = `class Quote:
    sku: str
    tags: list

    def name(self, long=False):
        return self.sku


def price_of(quote, *, discount=0.0):
    return discount
`;

test('the Python contract test passes while the code keeps the contract, and fails when it does not', async () => {
  const repository = new GitRepository();
  repository.commit({ 'shop/__init__.py': '', 'shop/pricing.py': pricing });
  const file = join(temporaryFolder(), 'contract.json');
  writeFileSync(file, JSON.stringify(contract));
  expect(await joinery(['contract', 'stubs', file, '--lang', 'py'], { cwd: repository.dir })).toMatchObject({
    code: 0,
    stderr: '',
  });
  const failures = (text: string) => {
    repository.write({ 'shop/pricing.py': text });
    const { status, stderr } = spawnSync('python3', ['-B', 'contract/test_contract.py'], {
      cwd: repository.dir,
      env: { ...process.env, PYTHONPATH: repository.dir },
      encoding: 'utf8',
    });
    const failed = [...stderr.matchAll(/^(?:FAIL|ERROR): (test_\w+)/gm)].map(([, name]) => name);
    return status === 0 ? [] : failed;
  };
  expect(failures(pricing)).toEqual([]);
  expect(failures(pricing.replace('tags:', 'labels:'))).toEqual(['test_quote']);
  expect(failures(pricing.replace('discount=0.0)', 'discount=0.0, tax)'))).toEqual(['test_price_of']);
  expect(failures(pricing.replace('quote, *, discount=0.0', 'discount, quote'))).toEqual(['test_price_of']);
  expect(failures(pricing.replace('long=False', 'short=False'))).toEqual(['test_name']);
});
