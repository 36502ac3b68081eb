import { z } from 'zod';
import { SettingsChangeReport } from './settings-change.ts';

export const McpInstallReport = z.object({
  schema: z.literal('joinery/mcp-install@1'),
  ...SettingsChangeReport.shape,
});
export type McpInstallReport = z.infer<typeof McpInstallReport>;
