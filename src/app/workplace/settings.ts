/** What a front end has to know about settings: which can be overridden, by which variable, and how that is written down. */
export type { Override } from '#config/read-config.ts';
export { type ConfigKey, configVariables } from '#config/variables.ts';
