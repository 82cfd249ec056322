/** What may be said to a client's model. */
import type { SampleMessage } from '@sigil-mcp/core';
import { sampleParams } from '../src/asking/ask-options';

const use = (id: string) => ({ type: 'tool_use', id, name: 'forecast', input: {} }) as const;
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] }) as const;
const said = (text: string) => ({ type: 'text', text }) as const;

describe('sampleParams', () => {
  it('makes a message of the user of a text, with a limit [SAMP-006]', () => {
    expect(sampleParams('Hello', {})).toEqual({
      messages: [{ role: 'user', content: [expect.objectContaining({ type: 'text', text: 'Hello' })] }],
      maxTokens: 1000,
    });
  });

  it('passes on what is said beside the messages, but not what is for the asking', () => {
    const params = sampleParams('Hello', {
      maxTokens: 5,
      systemPrompt: 'Be brief',
      temperature: 0,
      key: 'k',
      timeout: 1,
    });
    expect(params).toMatchObject({ maxTokens: 5, systemPrompt: 'Be brief', temperature: 0 });
    expect(params).not.toHaveProperty('key');
    expect(params).not.toHaveProperty('timeout');
    expect(params).not.toHaveProperty('includeContext');
  });

  it('takes texts, single blocks and lists of blocks', () => {
    const messages: SampleMessage[] = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: said('two') },
      { role: 'user', content: [said('three'), said('four')] },
    ];
    expect(sampleParams(messages, {}).messages.map(({ content }) => content.length)).toEqual([1, 1, 2]);
  });

  it('takes a tool that is used, and its result [SAMP-003] [SAMP-004]', () => {
    const messages: SampleMessage[] = [
      { role: 'assistant', content: [said('Let me see'), use('a'), use('b')] },
      { role: 'user', content: [result('b'), result('a')] },
    ];
    expect(sampleParams(messages, {}).messages).toHaveLength(2);
  });

  const bad: [string, readonly SampleMessage[], RegExp][] = [
    ['no message', [], /at least one/],
    ['a message without content', [{ role: 'user', content: [] }], /^Message 0 .* no content/],
    [
      'a block that models do not read',
      [{ role: 'user', content: { type: 'resource' } as unknown as SampleMessage['content'] }],
      /^Message 0 .*"resource"/,
    ],
    [
      'a result beside other content [SAMP-003]',
      [{ role: 'user', content: [result('a'), said('!')] }],
      /^Message 0 .*only tool results/,
    ],
    ['a result of the assistant [SAMP-003]', [{ role: 'assistant', content: result('a') }], /^Message 0 .*role user/],
    ['a tool used by the user', [{ role: 'user', content: use('a') }], /^Message 0 .*only the assistant/],
    [
      'a tool without a result [SAMP-004]',
      [{ role: 'assistant', content: use('a') }],
      /^Message 0 .*result of each: a /,
    ],
    [
      'a tool with the result of another [SAMP-004]',
      [
        { role: 'assistant', content: use('a') },
        { role: 'user', content: [result('a'), result('b')] },
      ],
      /^Message 0 .*: b does not match/,
    ],
  ];
  it.each(bad)('refuses %s', (_title, messages, words) => {
    expect(() => sampleParams(messages, {})).toThrow(words);
  });

  it.each([0, -1, 1.5, Number.NaN])('refuses a limit of %p tokens', (maxTokens) => {
    expect(() => sampleParams('Hello', { maxTokens })).toThrow(/whole number/);
  });
});
