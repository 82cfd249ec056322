/** Tools that change what the server offers, for clients that want to hear of it; the lists end as they were. */
import { Feature, ServerRegistry, Tool } from '@sigil-mcp/core';

/** Comes, and goes at once. */
const PASSING = { name: 'test_passing', description: 'Comes and goes', handler: () => 'gone' } as const;

/** Changes of the lists. */
@Feature()
export class ChangingTools {
  constructor(private readonly registry: ServerRegistry) {}

  @Tool('Adds a tool and removes it, so that clients hear of a changed list', { name: 'test_trigger_tool_change' })
  changeTools(): string {
    return this.#pass('tool');
  }

  @Tool('Adds a prompt and removes it, so that clients hear of a changed list', { name: 'test_trigger_prompt_change' })
  changePrompts(): string {
    return this.#pass('prompt');
  }

  #pass(kind: 'tool' | 'prompt'): string {
    this.registry.add({ kind, ...PASSING });
    this.registry.remove(kind, PASSING.name);
    return `The list of ${kind}s has changed, and changed back.`;
  }
}
