/** Messages of a prompt with explicit roles. */
import type { ContentBlock, PromptMessage } from '@sigil-mcp/protocol';
import { text } from './content-blocks';

/**
 * Makes a message of the user.
 * @param content a block, or text
 * @example return [userMessage('Where should I go?'), assistantMessage('Tell me what you like.')];
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/prompts
 */
export function userMessage(content: ContentBlock | string): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? text(content) : content };
}

/**
 * Makes a message of the assistant.
 * @param content a block, or text
 * @example return [userMessage('Where should I go?'), assistantMessage('Tell me what you like.')];
 */
export function assistantMessage(content: ContentBlock | string): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? text(content) : content };
}
