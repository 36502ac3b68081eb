import { createContext, Script } from 'node:vm';

const longestMs = 1000;
const script = new Script('new RegExp(pattern, flags).test(text)');
let sandbox: { pattern?: string; flags?: string; text?: string } | null = null;

/** Whether a pattern from outside matches; null when it is not a valid pattern or takes longer than a second. */
export function testPattern(pattern: string, flags: string, text: string): boolean | null {
  sandbox ??= createContext({});
  Object.assign(sandbox, { pattern, flags, text });
  try {
    return script.runInContext(sandbox, { timeout: longestMs }) as boolean;
  } catch {
    return null;
  } finally {
    Object.assign(sandbox, { text: '' });
  }
}
