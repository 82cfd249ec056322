/** The capabilities that the command declares to servers. */
import { TASKS } from '@sigil-mcp/client/wire';

/** What `--answer`, the user at the terminal and `sigil call` can do. */
export const CAPABILITIES = {
  elicitation: { form: {}, url: {} },
  sampling: {},
  roots: {},
  extensions: { [TASKS]: {} },
};
