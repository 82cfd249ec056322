/** The return value of a prompt's method -> the neutral result of `prompts/get`. */
import type { GetPromptResult, PromptMessage } from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import { isContentBlock, text } from './content-blocks';
import { isBlock } from './content-list';
import { userMessage } from './prompt-messages';
import { writtenPrompt } from './protocol-result';

/**
 * Compiles the shaping of one prompt's output: text and single blocks become messages of the user, messages stay what they
 * are, a list may mix them, and so may `{ messages }`, a result in the format of the protocol.
 * @param where `TravelFeature.planDay`, for the TypeError about what is no message
 */
export function compilePromptOutput(
  where: string,
  description: string | undefined,
): (value: unknown) => GetPromptResult {
  return (value) => {
    const written = writtenPrompt(value);
    const about = written?.description ?? description;
    const items = written ? written.messages : Array.isArray(value) ? (value as unknown[]) : [value];
    return {
      ...(about !== undefined && { description: about }),
      messages: items.map((item) => shapeMessage(item, where)),
    };
  };
}

function shapeMessage(item: unknown, where: string): PromptMessage {
  if (typeof item === 'string' || isContentBlock(item)) return userMessage(item);
  if (isMessage(item))
    return { role: item.role, content: typeof item.content === 'string' ? text(item.content) : item.content };
  throw sigilError('SIGIL_PROMPT_OUTPUT', { where });
}

function isMessage(
  item: unknown,
): item is Omit<PromptMessage, 'content'> & { content: PromptMessage['content'] | string } {
  if (typeof item !== 'object' || item === null || !('role' in item) || !('content' in item)) return false;
  const { role, content } = item;
  return (role === 'user' || role === 'assistant') && (typeof content === 'string' || isBlock(content));
}
