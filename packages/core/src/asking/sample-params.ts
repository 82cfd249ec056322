/**
 * Parameters of `sampling/createMessage`, checked before they are sent: the messages must make sense to a model.
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
 */
import type { CreateMessageParams, SamplingContent, SamplingMessage } from '@sigil-mcp/protocol';
import { sigilError } from '../errors/catalogue';
import { text } from '../output/content-blocks';
import type { SampleMessage, SampleOptions } from './ask-options';

const BLOCK_TYPES = ['text', 'image', 'audio', 'tool_use', 'tool_result'];

/**
 * Makes the parameters of what a handler says to the model.
 * @throws SigilError that names the message which makes no sense
 */
export function sampleParams(
  prompt: string | readonly SampleMessage[],
  { key: _key, timeout: _timeout, maxTokens = 1000, ...options }: SampleOptions,
): CreateMessageParams {
  const messages =
    typeof prompt === 'string' ? [{ role: 'user' as const, content: [text(prompt)] }] : prompt.map(readMessage);
  if (messages.length === 0) throw sigilError('SIGIL_SAMPLE_EMPTY');
  if (!Number.isInteger(maxTokens) || maxTokens < 1) throw sigilError('SIGIL_SAMPLE_MAX_TOKENS');
  messages.forEach((message, index) => checkMessage(message, messages[index + 1], index));
  return { messages, maxTokens, ...options };
}

function readMessage({ content, ...message }: SampleMessage, index: number): SamplingMessage {
  const blocks = typeof content === 'string' ? [text(content)] : isList(content) ? content : [content];
  if (blocks.length === 0) throw sigilError('SIGIL_SAMPLE_NO_CONTENT', { index });
  const unexpected = blocks.find(({ type }) => !BLOCK_TYPES.includes(type));
  if (unexpected) {
    const type = JSON.stringify(unexpected.type);
    throw sigilError('SIGIL_SAMPLE_BLOCK', { index, type, known: BLOCK_TYPES.join(', ') });
  }
  return { ...message, content: blocks };
}

/** Checks that results of tools stand alone in a message, and answer everything that the message before them wanted. */
function checkMessage({ role, content }: SamplingMessage, next: SamplingMessage | undefined, index: number): void {
  const results = content.filter(({ type }) => type === 'tool_result');
  if (results.length > 0 && (role !== 'user' || results.length < content.length))
    throw sigilError('SIGIL_SAMPLE_MIXED_RESULTS', { index });
  const wanted = content.filter((block) => block.type === 'tool_use').map(({ id }) => id);
  if (wanted.length === 0) return;
  if (role !== 'assistant') throw sigilError('SIGIL_SAMPLE_TOOL_USER', { index });
  const given = (next?.content ?? []).filter((block) => block.type === 'tool_result').map(({ toolUseId }) => toolUseId);
  const odd = [...wanted.filter((id) => !given.includes(id)), ...given.filter((id) => !wanted.includes(id))];
  if (odd.length > 0) throw sigilError('SIGIL_SAMPLE_TOOL_RESULTS', { index, odd: odd.join(', ') });
}

function isList(content: SamplingContent | readonly SamplingContent[]): content is readonly SamplingContent[] {
  return Array.isArray(content);
}
