/** Who may call a tool: the model, the views of the server, or both. */

/** The model, or a view of the server. */
export type ToolCaller = 'model' | 'app';

// Here, because the types of the package lead to this file: nothing else would make the compiler of an author read it.
declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /**
     * The view that hosts show next to the result: the name of a member with `@View` of the same class, the name of a view made with `view()`,
     * or the `ui://` URI of any view. None if left out. Of `@sigil-mcp/apps`.
     * @example view: 'chart'
     */
    readonly view?: string;
    /**
     * Who may call it: the model, the views of the server, or both; both if left out. Hosts apply it. Of `@sigil-mcp/apps`.
     * @example visibleTo: ['app']
     */
    readonly visibleTo?: readonly ToolCaller[];
  }
}

const CALLERS: readonly unknown[] = ['model', 'app'] satisfies readonly ToolCaller[];

/** Whether a value is a list of callers, without doubles; an empty one would make the tool useless. */
export function isAudience(value: unknown): value is readonly ToolCaller[] {
  if (!Array.isArray(value) || value.length === 0 || !value.every((caller) => CALLERS.includes(caller))) return false;
  return new Set(value).size === value.length;
}
