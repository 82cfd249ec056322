/** Event streams as servers may write them, and networks may cut them. */
import { readEvents, type ReceivedEvent } from '../src/pipes/sse-pipe';

async function read(chunks: readonly Uint8Array[]): Promise<{ events: ReceivedEvent[]; retries: number[] }> {
  const retries: number[] = [];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const events: ReceivedEvent[] = [];
  for await (const { id, data } of readEvents(new Response(body), (milliseconds) => retries.push(milliseconds)))
    events.push({ id, data });
  return { events, retries };
}

it.each(['\n', '\r\n'])('reads events whose lines end with %j, cut at any place', async (end) => {
  const lines = [
    '\ufeff: hello',
    'retry: 20',
    '',
    'id: 1',
    'data: Tromsø',
    'data: 🇳🇴',
    '',
    'id: 2',
    'data',
    '',
    'data: cut',
  ];
  const bytes = new TextEncoder().encode(lines.join(end));
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    expect(await read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual({
      events: [
        { id: '1', data: 'Tromsø\n🇳🇴' },
        { id: '2', data: '' },
      ],
      retries: [20],
    });
  }
});

it('reads nothing where there is no body', async () => {
  for await (const event of readEvents(new Response(null), () => undefined)) throw new Error(event.data);
});
