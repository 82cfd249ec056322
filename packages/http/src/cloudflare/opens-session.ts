/** Whether a request opens a session: only then it gets an object, because objects cost memory and money. */

/** Bytes of the longest handshake. */
const LONGEST = 64 * 1024;

/** Reads a copy of the body, as far as a handshake may be long. The request can be read afterwards. */
export async function opensSession(request: Request): Promise<boolean> {
  if (request.method !== 'POST') return false;
  const text = await beginningOf(request.clone().body);
  return text !== undefined && methodIn(text) === 'initialize';
}

/** Undefined for a body that is longer, or breaks off. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string | undefined> {
  if (!body) return undefined;
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let bytes = 0; ;) {
      const { done, value } = await reader.read();
      if (done) return text + decoder.decode();
      bytes += value.length;
      if (bytes > LONGEST) return void reader.cancel().catch(() => undefined);
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    return undefined;
  }
}

function methodIn(text: string): unknown {
  try {
    const message = JSON.parse(text) as { readonly method?: unknown } | null;
    return message?.method;
  } catch {
    return undefined;
  }
}
