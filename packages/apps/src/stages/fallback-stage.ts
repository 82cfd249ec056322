/** What runs around the calls of a tool with a view: a result without text says nothing to hosts without views. */
import { andThen } from '@sigil-mcp/base';
import type { EntryFacts, EntryStage } from '@sigil-mcp/core';
import { whereOf } from '../checks/where';

/** A stage that logs, once, that a tool with a view says nothing to hosts without views. */
export function fallbackStage(tool: EntryFacts): EntryStage {
  let isLogged = false;
  return {
    isForEveryone: true,
    run: (_call, next, { logger }) =>
      andThen(next(), (result) => {
        if (isLogged || !saysNothing(result)) return result;
        isLogged = true;
        const message = `${whereOf(tool)}: The result of a tool with a view has no text: the model, and users of hosts without views, see nothing. Return a text, or data.`;
        logger.warn({ tool: tool.key }, message);
        return result;
      }),
  };
}

function saysNothing(result: object): boolean {
  const content: unknown = 'content' in result ? result.content : undefined;
  return Array.isArray(content) && content.every(isBlank);
}

function isBlank(block: unknown): boolean {
  return typeof block === 'object' && block !== null && 'text' in block && String(block.text).trim() === '';
}
