import { join } from 'node:path';
import { at } from '#lib/json-value.ts';
import type { SettingsEntry } from './edit-settings.ts';

export type HookAgent = 'claude' | 'gemini';

/** Hook events an agent reports. None of them can grant or refuse a permission. */
const moments: Record<HookAgent, readonly string[]> = {
  claude: ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'SessionEnd'],
  gemini: ['SessionStart', 'BeforeAgent', 'AfterTool', 'AfterAgent', 'SessionEnd'],
};

/** Identifies Joinery's entries among those of others. */
const recorder = 'joinery hooks record';

/** The entries that make an agent report to the spool. `folder`: the project, or the user's home folder. */
export function hookEntry(agent: HookAgent, folder: string): SettingsEntry {
  const element = {
    hooks: [
      {
        type: 'command',
        command: `${recorder} --agent ${agent}`,
        ...(agent === 'claude' ? { timeout: 10, async: true } : { name: 'joinery', timeout: 10_000 }),
      },
    ],
  };
  return {
    file: join(folder, `.${agent}`, 'settings.json'),
    format: 'json',
    path: ['hooks'],
    elements: Object.fromEntries(moments[agent].map((moment) => [moment, element])),
    isOurs: (group) => {
      const hooks = at(group, 'hooks');
      return (
        Array.isArray(hooks) &&
        hooks.length > 0 &&
        hooks.every((hook) => String(at(hook, 'command')).startsWith(recorder))
      );
    },
  };
}
