/** The arguments and the result of a tool in its span: JSON, without what is sensitive. */
import type { Attributes } from '@opentelemetry/api';
import { redact, type EntryFacts, type ObservedRequest, type RequestOutcome } from '@sigil-mcp/core';
import { ATTRIBUTES } from '../conventions';
import type { RecordedParts } from '../telemetry-options';

/** Longer texts are cut. */
const LONGEST = 4096;

/**
 * What is recorded of a call that has ended. Arguments of unknown tools are not: nobody has said what of them is sensitive. Nor is the result
 * of a tool with sensitive arguments that has failed, or that has no output: nobody has said what of them it repeats.
 */
export function recordedCall(
  { params }: ObservedRequest,
  outcome: RequestOutcome,
  { shapes: { input, output } }: EntryFacts,
  record: RecordedParts,
): Attributes {
  const sent = params?.['arguments'] ?? {};
  return {
    ...(record.arguments && input && { [ATTRIBUTES.arguments]: textOf(redact(sent, input)) }),
    ...(record.results &&
      outcome.kind === 'result' &&
      ((input?.sensitive ?? []).length === 0 || (output !== undefined && !outcome.isError)) && {
        [ATTRIBUTES.result]: textOf(resultOf(outcome.result, output)),
      }),
  };
}

/** The content of a result repeats its structured part as text. */
function resultOf(result: object, output: EntryFacts['shapes']['output']): unknown {
  const structured: unknown = Reflect.get(result, 'structuredContent');
  return output && structured !== undefined ? redact(structured, output) : result;
}

function textOf(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
