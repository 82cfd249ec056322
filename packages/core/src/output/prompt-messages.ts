/** Messages of a prompt where their roles have to be said. */
import type { ContentBlock, PromptMessage } from '@sigil-mcp/protocol';
import { text } from './content-blocks';

/** What the user says. */
export function userMessage(content: ContentBlock | string): PromptMessage {
  return { role: 'user', content: typeof content === 'string' ? text(content) : content };
}

/** What the assistant says. */
export function assistantMessage(content: ContentBlock | string): PromptMessage {
  return { role: 'assistant', content: typeof content === 'string' ? text(content) : content };
}
