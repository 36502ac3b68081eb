export { createPythonResolver, type PythonResolver, type Submodule } from './python.ts';
export type { Resolution, Resolver } from './resolution.ts';
export { createTypeScriptResolver, furtherDocuments } from './typescript.ts';
