/** The options of `apps()`. */
import { OPTION_RULES, type OptionRule } from '@sigil-mcp/core/adapter';

/** How a server writes its views. */
export interface AppsOptions {
  /**
   * Whether tools also have the deprecated key `ui/resourceUri` in `_meta`, which old hosts read; true if left out.
   */
  readonly oldHosts?: boolean;
  /**
   * Whether each view is also served in the dialect that ChatGPT had before MCP Apps: a second resource, and keys of `_meta` that begin with
   * `openai/`. False if left out.
   */
  readonly chatgpt?: boolean;
}

/** What each option may be. */
export const APPS_OPTIONS: Readonly<Record<keyof AppsOptions, OptionRule>> = {
  oldHosts: OPTION_RULES.flag,
  chatgpt: OPTION_RULES.flag,
};
