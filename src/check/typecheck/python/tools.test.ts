import { describe, expect, it } from 'vitest';
import { configuredTools } from './tools.ts';

async function mypyConfig(text: string): Promise<string> {
  const [tool] = await configuredTools(async (path) => (path === 'mypy.ini' ? text : null));
  return JSON.stringify(tool);
}

describe('settings of mypy that name programs are not passed on', () => {
  it.each([
    '[mypy]\nplugins = ./evil.py\nstrict = True\n',
    '[mypy]\n  plugins = ./evil.py\n  strict = True\n',
    '[mypy]\nPlugins = ./evil.py\nstrict = True\n',
    '[mypy]\nplugins =\n  ./evil.py,\n  ./other.py\nstrict = True\n',
    '[mypy]\nplugins: ./evil.py\nstrict = True\n',
  ])('%j', async (text) => {
    const config = await mypyConfig(text);
    expect(config).toContain('strict = True');
    expect(config).not.toMatch(/evil|plugins/i);
  });
});
