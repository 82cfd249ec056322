/** Scripts against the tools of a server. */
export { CODE_TOOLSET, codeToolset } from './code-toolset';
export type { CodeToolsetOptions, ScriptLimits } from './code-options';
