import { z } from 'zod';

/** What happened to an agent's settings file. */
export const SettingsChangeReport = z.object({
  action: z.enum(['install', 'uninstall']),
  agent: z.string(),
  file: z.string().describe('The settings of the agent.'),
  isChanged: z.boolean().describe('False: there was nothing to do.'),
  isDone: z.boolean().describe('False with --dry-run.'),
  before: z.string().nullable().describe('null: the file was not there.'),
  after: z.string().nullable().describe('null: the file is gone.'),
});
export type SettingsChangeReport = z.infer<typeof SettingsChangeReport>;
