/**
 * Reads an event stream as it comes.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */

/** One event. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly data: string;
  /** Milliseconds to wait before the stream is taken up again. */
  readonly retry: number | undefined;
}

/** The events of a response; comments are left out, and what has begun when the stream ends. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of response.body) {
    // The body of a response is bytes.
    const text = begun + decoder.decode(chunk as Uint8Array, { stream: true });
    const blocks = text.split(/\r\n\r\n|\n\n|\r\r/);
    begun = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = readEvent(block);
      if (event) yield event;
    }
  }
}

function readEvent(block: string): StreamEvent | undefined {
  const fields = block.split(/\r\n|\n|\r/).map((line) => /^(\w+)(?:: ?(.*))?$/.exec(line));
  const valuesOf = (name: string): string[] => fields.flatMap((field) => (field?.[1] === name ? [field[2] ?? ''] : []));
  const [id] = valuesOf('id').slice(-1);
  const [retry] = valuesOf('retry').slice(-1);
  const data = valuesOf('data');
  if (id === undefined && data.length === 0) return undefined;
  return { id, data: data.join('\n'), retry: retry === undefined ? undefined : Number(retry) };
}
