/** Toolsets for servers with many tools. */
export { SEARCH_TOOLSET, searchToolset } from './search-toolset';
export type { ListedTools, SearchToolsetOptions, ToolsetOptions } from './search-options';
export type { FoundTool, FoundTools } from './search/found-tools';
