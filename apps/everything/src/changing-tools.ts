/** Tools that change the lists of the server, for clients that want to be notified. Afterwards the lists are as before. */
import { Feature, ServerRegistry, Tool } from '@sigil-mcp/core';

/** Added and removed again at once. */
const PASSING = { name: 'test_passing', description: 'Comes and goes', handler: () => 'gone' } as const;

/** Changes of the lists. */
@Feature()
export class ChangingTools {
  constructor(private readonly registry: ServerRegistry) {}

  @Tool('Adds a tool and removes it, so that clients are notified of a changed list', {
    name: 'test_trigger_tool_change',
  })
  changeTools(): string {
    return this.#pass('tool');
  }

  @Tool('Adds a prompt and removes it, so that clients are notified of a changed list', {
    name: 'test_trigger_prompt_change',
  })
  changePrompts(): string {
    return this.#pass('prompt');
  }

  #pass(kind: 'tool' | 'prompt'): string {
    this.registry.add({ kind, ...PASSING });
    this.registry.remove(kind, PASSING.name);
    return `The list of ${kind}s has changed, and changed back.`;
  }
}
