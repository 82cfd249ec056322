/** A second client on the pipe of another one: each receives what is its own. */
import { SecondLine } from '../src/dev/second-line';

const text = (message: object): string => JSON.stringify({ jsonrpc: '2.0', ...message });

function opened() {
  const line = new SecondLine();
  const sent: { id: string; params: Record<string, never> }[] = [];
  const received: unknown[] = [];
  line.attach((each) => sent.push(JSON.parse(each)));
  const client = line.open({ receive: (each) => received.push(JSON.parse(each)) });
  return { line, sent, received, client };
}

it('marks the ids of the second client, and takes the answers back with its own ids', () => {
  const { line, sent, received, client } = opened();
  client.send(text({ id: 1, method: 'tools/list' }));
  client.send(text({ id: '1', method: 'tools/list' }));
  expect(sent.map(({ id }) => id)).toEqual([expect.stringMatching(/number:1$/), expect.stringMatching(/string:1$/)]);
  for (const { id } of sent) expect(line.takes(text({ id, result: {} }))).toBe(true);
  expect(received).toMatchObject([{ id: 1 }, { id: '1' }]);
});

it('leaves answers to the first client alone, also those that quote a mark', () => {
  const { line, received, client } = opened();
  client.send(text({ id: 1, method: 'tools/list' }));
  expect(line.takes(text({ id: 1, result: {} }))).toBe(false);
  expect(line.takes(text({ id: 2, result: { text: 'sigil-page:1:number:1' } }))).toBe(false);
  expect(line.takes(text({ method: 'notifications/message', params: { data: 'sigil-page:1:' } }))).toBe(false);
  expect(received).toEqual([]);
});

it('takes the progress of its own calls, and cancels them under their marked ids', () => {
  const { line, sent, received, client } = opened();
  client.send(text({ id: 1, method: 'tools/call', params: { _meta: { progressToken: 'p', other: 1 } } }));
  const token = (sent[0]?.params['_meta'] as unknown as { progressToken: string; other: number }).progressToken;
  expect(line.takes(text({ method: 'notifications/progress', params: { progressToken: token, progress: 1 } }))).toBe(
    true,
  );
  expect(received).toMatchObject([{ params: { progressToken: 'p', progress: 1 } }]);
  client.send(text({ method: 'notifications/cancelled', params: { requestId: 1 } }));
  expect(sent[1]?.params['requestId']).toBe(sent[0]?.id);
});

it('opens no session on the pipe of another client, and takes nothing after it was closed', () => {
  const { line, sent, client } = opened();
  client.send(text({ id: 1, method: 'initialize' }));
  expect(sent).toEqual([]);
  client.send(text({ id: 2, method: 'ping' }));
  client.close();
  expect(line.takes(text({ id: sent[0]?.id, result: {} }))).toBe(false);
});
