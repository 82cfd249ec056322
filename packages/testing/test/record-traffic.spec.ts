/** Transcripts of what travels: readable, and the same in each run. */
import { connect, eachRevision, recordTraffic, type Traffic } from '@sigil-mcp/testing';
import { harbour } from './harbour';

const line = (from: Traffic['from'], message: unknown): string => {
  const traffic: Traffic[] = [];
  const recorder = recordTraffic({ traffic });
  traffic.push({ from, text: typeof message === 'string' ? message : JSON.stringify(message) });
  return recorder.text();
};

describe('a transcript', () => {
  eachRevision('is the same on each revision, where what is said is', async ({ connect }) => {
    const client = await connect(harbour());
    await client.setLogLevel('error');
    const recorder = recordTraffic(client);
    await client.callTool('lift', {}, { onProgress: () => undefined });
    await client.callTool('sink');
    await client.callTool('picture');
    await client.callTool('swim', { name: 'Ada' }).catch(() => undefined);
    await client.listPrompts();
    await client.readResource('harbour://ships/Ada');
    await client.getPrompt('trip', { name: 'Ada' });
    const text = recorder.text().replace(/,"message":"\w+"/g, '');
    expect(text).toBe(
      [
        '→ #1 tools/call lift',
        '← notifications/progress {"progress":1,"total":2}',
        '← notifications/progress {"progress":2,"total":2}',
        '← #1 result "lifted"',
        '→ #2 tools/call sink',
        '← #2 tool error "The ship has sunk."',
        '→ #3 tools/call picture',
        '← #3 result "The harbour" <image image/png, 4 characters> "at noon"',
        '→ #4 tools/call swim {"name":"Ada"}',
        '← #4 error -32602 "Unknown tool: swim"',
        '→ #5 prompts/list',
        '← #5 result prompts: trip',
        '→ #6 resources/read harbour://ships/Ada',
        '← #6 result "The ship Ada"',
        '→ #7 prompts/get trip {"name":"Ada"}',
        '← #7 result user: "Plan a trip on the Ada." assistant: "Aye."',
      ].join('\n'),
    );
  });

  it('shows questions, of either way of asking', async () => {
    const ask = async (revision: string): Promise<string> => {
      const client = await connect(harbour(), {
        revision,
        capabilities: { elicitation: {} },
        answers: () => ({ action: 'decline' }),
      });
      const recorder = recordTraffic(client);
      await client.callTool('leave');
      await client.close();
      return recorder.text();
    };
    expect(await ask('2025-11-25')).toMatch(
      /^→ #1 tools\/call leave\n← #2 elicitation\/create \{.*"message":"May they go\?".*\n→ #2 result \{"action":"decline"\}\n← #1 result "The captain said: decline"$/,
    );
    const rounds = await ask('2026-07-28');
    expect(rounds).toMatch(
      /^→ #1 tools\/call leave\n← #1 asks \{"inputRequests":.*\n→ #2 tools\/call leave \{"inputResponses":.*"requestState":"…"\}\n← #2 result "The captain said: decline"$/,
    );
    expect(await ask('2026-07-28')).toBe(rounds);
  });

  it('shows what is no message, batches, and answers to what nobody asked here', () => {
    expect(line('client', 'not { JSON')).toBe('→ no message: "not { JSON"');
    expect(line('client', '7')).toBe('→ no message: "7"');
    expect(line('server', { id: 9, result: {} })).toBe('← #? result');
    expect(line('client', { method: 'notifications/cancelled', params: { requestId: 9, reason: 'late' } })).toBe(
      '→ notifications/cancelled #? {"reason":"late"}',
    );
    expect(
      line('client', [
        { id: 1, method: 'ping' },
        { id: 2, method: 'ping' },
      ]),
    ).toBe('→ batch of 2\n  → #1 ping\n  → #2 ping');
    expect(line('server', { id: 1, error: 'x' })).toBe('← #? error null null');
  });

  it('cuts what is long, and leaves out what is there for the protocol', () => {
    const long = 'x'.repeat(500);
    expect(line('server', { id: 1, result: { content: [{ type: 'text', text: long }] } }).length).toBeLessThan(110);
    expect(
      line('client', { id: 1, method: 'm', params: { a: long, b: [long, long, long, long, long] } }).length,
    ).toBeLessThan(320);
    const params = { name: { odd: 1 }, _meta: { progressToken: 1 }, requestState: 'sealed' };
    expect(line('client', { id: 1, method: 'tools/call', params })).toBe(
      '→ #1 tools/call {"odd":1} {"requestState":"…"}',
    );
    const listed = { tools: [], nextCursor: 'c', ttlMs: 0, cacheScope: 'private', resultType: 'complete' };
    expect(line('server', { id: 1, result: listed })).toBe('← #? result tools: none {"nextCursor":"c"}');
    const written = { content: [{ type: 'text', text: '{"height":3}' }] };
    expect(line('server', { id: 1, result: written })).toBe('← #? result {"height":3}');
    const structured = { content: [], structuredContent: { height: 3 } };
    expect(line('server', { id: 1, result: structured })).toBe('← #? result {"height":3}');
  });
});

describe('a recorder', () => {
  it('keeps the messages as they are, and forgets when it is told to', async () => {
    const client = await connect(harbour());
    const recorder = recordTraffic(client);
    expect([recorder.text(), recorder.messages]).toEqual(['', []]);
    await client.callTool('lift');
    expect([recorder.messages.at(0), recorder.messages.at(-1)]).toMatchObject([
      { from: 'client', message: { method: 'tools/call' } },
      { from: 'server', message: { result: {} }, text: expect.stringContaining('lifted') },
    ]);
    await client.setLogLevel('error');
    recorder.clear();
    client.cancel(client.start('tools/call', { name: 'lift' }).id);
    expect(recorder.text()).toMatch(/→ #1 tools\/call lift/);
    expect(recorder.text()).toMatch(/→ notifications\/cancelled #1$/m);
    await client.close();
  });

  it('is not needed to see messages as they travel', async () => {
    const written = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    const client = await connect(harbour(), { printTraffic: true, revision: '2025-11-25' });
    await client.callTool('sink');
    await client.close();
    const text = written.mock.calls.map(([chunk]) => String(chunk)).join('');
    written.mockRestore();
    expect(text).toMatch(/^→ #1 initialize \{"protocolVersion".*\n← #1 result .*\n→ notifications\/initialized\n/);
    expect(text).toMatch(/→ #2 tools\/call sink\n← #2 tool error "The ship has sunk\."\n$/);
  });
});
