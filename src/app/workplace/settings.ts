/** What a front end needs to know about settings: which can be overridden, by which variable, and in which format. */
export type { Override } from '#config/read-config.ts';
export { type ConfigKey, configVariables } from '#config/variables.ts';
