/** The way to `sigil dev`: the key stands in the fragment of the URL, which browsers never send, and travels in a header. */

const API = '/__sigil/api/';
const [, KEY = ''] = /^#([\w-]*)/.exec(location.hash) ?? [];
/** Milliseconds before the page connects again. */
const AGAIN = 1000;

/** The fragment for a place in the page. @param {string} path */
export function hrefOf(path) {
  return `#${KEY}/${path}`;
}

/** The place in the page that the URL names. */
export function pathOf() {
  return location.hash.replace(/^#[\w-]*\/?/, '') || 'home';
}

/**
 * Sends a request.
 * @param {string} route
 * @param {object} body
 * @returns {Promise<any>} the answer; `problem` says what went wrong
 */
export async function post(route, body) {
  try {
    const response = await fetch(API + route, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-sigil-key': KEY },
      body: JSON.stringify(body),
    });
    return await response.json();
  } catch {
    return { problem: 'sigil dev does not answer. Is it still running?' };
  }
}

/**
 * Reads the events until the page is closed; connects again when the stream ends.
 * @param {(name: string, data: any) => void} receive
 * @param {(status: 'open' | 'lost' | 'refused') => void} tell
 * @param {() => number} after the number of the last message that was received
 */
export async function listen(receive, tell, after) {
  for (;;) {
    const status = await follow(receive, tell, after).catch(() => 'lost');
    tell(status === 'refused' ? 'refused' : 'lost');
    if (status === 'refused') return;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/**
 * @param {(name: string, data: any) => void} receive
 * @param {(status: 'open') => void} tell
 * @param {() => number} after
 */
async function follow(receive, tell, after) {
  const response = await fetch(`${API}events`, { headers: { 'x-sigil-key': KEY, 'x-sigil-after': String(after()) } });
  if (response.status === 401 || response.status === 403) return 'refused';
  if (!response.ok || !response.body) return 'lost';
  tell('open');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return 'lost';
    const events = (rest + value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
      if (name && data) receive(name, JSON.parse(data));
    }
  }
}
