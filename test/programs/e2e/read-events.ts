/** Reads an event stream as a browser does, as far as our servers use it. */

/** One event. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string;
  readonly retry: number | undefined;
}

/** The events of a response, as they come; comments are left out. */
export async function* readEvents(response: Response): AsyncGenerator<StreamEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let begun = '';
  for await (const chunk of response.body) {
    const blocks = (begun + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
    begun = blocks.pop() ?? '';
    for (const block of blocks) {
      const found = readEvent(block);
      if (found) yield found;
    }
  }
}

function readEvent(block: string): StreamEvent | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w*):? ?(.*)$/.exec(line) ?? [];
    fields.set(name, name === 'data' && fields.has(name) ? `${fields.get(name)}\n${value}` : value);
  }
  const [id, event, data, retry] = ['id', 'event', 'data', 'retry'].map((name) => fields.get(name));
  if (id === undefined && data === undefined) return undefined;
  return { id, event, data: data ?? '', retry: retry === undefined ? undefined : Number(retry) };
}
