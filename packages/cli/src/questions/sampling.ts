/** A question for a model, which the user answers in its place. */
import type { SamplingRequest, SamplingResult } from '../official-client';

/** The messages for the model, as text. */
export function describeSampling({ messages, systemPrompt }: SamplingRequest['params']): string {
  const system = systemPrompt === undefined ? [] : [`system: ${systemPrompt}`];
  return [...system, ...messages.map(({ role, content }) => `${role}: ${describeContent(content)}`)].join('\n');
}

/** A user's answer in the form of a model's. */
export function sampled(text: string): SamplingResult {
  return { role: 'assistant', content: { type: 'text', text }, model: 'a person at a terminal', stopReason: 'endTurn' };
}

function describeContent(content: SamplingRequest['params']['messages'][number]['content']): string {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.map((block) => (block.type === 'text' ? block.text : `(${block.type})`)).join('\n');
}
