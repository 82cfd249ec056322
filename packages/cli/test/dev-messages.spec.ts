/** What passes through `sigil dev`, message by message. */
import { EventReader, writeEvent } from '../src/dev/upstream';
import { HttpSession } from '../src/dev/http-sessions';
import { readShapes, rewriteEach, takeOut } from '../src/dev/message-shape';
import { EventRewriter } from '../src/dev/client-exchanges';

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
const LOST = '{"jsonrpc":"2.0","id":2,"method":"lost"}';

describe('an event', () => {
  it.each(['event: message\nid: 3\ndata: {"a":\ndata: 1}\n\n', 'data: \ndata: x\n\n', ': a comment\n\n'])(
    'is written with the lines that it was read with: %j',
    (text) => expect(new EventReader().read(text).map(writeEvent)).toEqual([text]),
  );

  it.each(['\n', '\r\n', '\r'])('is read with any end of lines, and cut at any place: %j', (end) => {
    const text = ['retry: 30', 'id: 1', 'data: {}', '', ': here', 'data', '', ''].join(end);
    for (let cut = 0; cut <= text.length; cut += 1) {
      const reader = new EventReader();
      // The last carriage return may be the first half of a line end.
      const events = [text.slice(0, cut), text.slice(cut), '\n'].flatMap((piece) => reader.read(piece));
      expect(events.map(writeEvent)).toEqual(['retry: 30\n\n', 'id: 1\ndata: {}\n\n', ': here\n\n', 'data: \n\n']);
    }
  });

  it('gets new ids for all the questions of its batch', () => {
    const session = new HttpSession('outer', 'inner', { url: '/mcp', headers: {} });
    const rewriter = new EventRewriter(4, session, false);
    const [event] = rewriter.rewrite({ id: '7', data: `[${PING},${LOST}]` });
    expect(event?.id).toBe('4~7');
    expect(readShapes(event?.data ?? '').map(({ id }) => id)).toEqual(['dev-1', 'dev-2']);
  });
});

describe('taking messages out of a text', () => {
  const isLost = ({ method }: { readonly method?: string }) => method === 'lost';

  it('leaves a text as it is where there are none', () => {
    expect(takeOut(`[${PING}]`, isLost)).toEqual({ taken: [], rest: `[${PING}]` });
    expect(takeOut('no JSON', isLost)).toEqual({ taken: [], rest: 'no JSON' });
  });

  it('leaves the others of a batch as a batch, and nothing of a message of its own', () => {
    expect(takeOut(`[${PING},${LOST},7]`, isLost)).toMatchObject({ taken: [{ id: 2 }], rest: `[${PING},7]` });
    expect(takeOut(LOST, isLost)).toMatchObject({ taken: [{ id: 2 }], rest: undefined });
  });
});

describe('rewriting each message of a text', () => {
  it('keeps a batch a batch, and leaves it away where nothing is left of it', () => {
    expect(rewriteEach(`[${PING},${LOST}]`, ({ id }, text) => (id === 1 ? [text, '{}'] : []))).toEqual([
      `[${PING},{}]`,
    ]);
    expect(rewriteEach(`[${PING}]`, () => [])).toEqual([]);
  });

  it('gives one message its text as it came, and lets pass what is none', () => {
    expect(rewriteEach(`${PING} `, (_message, text) => [text])).toEqual([`${PING} `]);
    for (const text of ['no JSON', '[]', '7', '']) expect(rewriteEach(text, () => ['never'])).toEqual([text]);
  });
});
