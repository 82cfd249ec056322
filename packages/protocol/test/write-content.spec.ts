import { ALL_REVISIONS, findRevision, type CallToolResult, type ContentBlock } from '@sigil-mcp/protocol';
import { audio, content, deepFreeze, link, server, text } from './rich-values';

/** What a revision makes of one block. */
function write(version: string, block: ContentBlock): unknown {
  const result: CallToolResult = { content: [block], isError: false };
  const written = findRevision(version)!.writerFor(server).writeResult('tools/call', deepFreeze(result));
  return (written['content'] as unknown[])[0];
}

describe('contentWriter', () => {
  it.each(['2025-06-18', '2025-11-25', '2026-07-28'])('passes on what fits, without a copy: %s', (version) => {
    const block: ContentBlock = { type: 'text', text: 'rain', annotations: { lastModified: '2025-01-01' } };
    expect(write(version, block)).toBe(block);
  });

  it('puts a text in the place of audio before 2025-03-26, for the same audience [TOOL-015]', () => {
    expect(write('2024-11-05', audio)).toEqual({
      type: 'text',
      text: '[audio/wav audio, 4 bytes: not available in protocol revision 2024-11-05]',
      annotations: { audience: ['user'], priority: 0.5 },
    });
    expect(write('2025-03-26', audio)).toMatchObject({ type: 'audio', data: 'AAECAw==', mimeType: 'audio/wav' });
  });

  it.each(['2024-11-05', '2025-03-26'])('puts words in the place of a resource link: %s [TOOL-016]', (version) => {
    expect(write(version, link)).toEqual({
      type: 'text',
      text: '[resource link: Oslo today, weather://oslo, text/plain] The weather in Oslo.',
      annotations: { audience: ['user'], priority: 0.5 },
    });
    const bare: ContentBlock = { type: 'resource_link', uri: 'a:b', name: 'b' };
    expect(write(version, bare)).toEqual({ type: 'text', text: '[resource link: b, a:b]' });
  });

  it('writes links from 2025-06-18 on, with icons from 2025-11-25 on', () => {
    const { icons, ...rest } = link as typeof link & { icons: unknown };
    expect(write('2025-06-18', link)).toEqual(rest);
    expect(write('2025-11-25', link)).toEqual({ ...rest, icons });
  });

  it.each(['2024-11-05', '2025-03-26'])('writes no _meta of blocks and contents before 2025-06-18: %s', (version) => {
    for (const block of content) expect(JSON.stringify(write(version, block))).not.toContain('_meta');
    expect(write(version, content[4]!)).toMatchObject({ type: 'resource', resource: { text: 'rain' } });
  });

  it('writes annotations.lastModified from 2025-06-18 on', () => {
    const written = ALL_REVISIONS.map(({ version }) => JSON.stringify(write(version, text)).includes('lastModified'));
    expect(written).toEqual([false, false, true, true, true]);
  });

  it('puts a text in the place of a kind that nobody knows', () => {
    const block = { type: 'hologram', mimeType: 'a/b' } as unknown as ContentBlock;
    expect(write('2026-07-28', block)).toEqual({
      type: 'text',
      text: '[a/b hologram: not available in protocol revision 2026-07-28]',
    });
  });
});
