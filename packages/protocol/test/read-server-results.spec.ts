import type { JsonObject, ServerMethod, ServerRequest } from '@sigil-mcp/protocol';
import { ALL_REVISIONS, ProtocolError } from '@sigil-mcp/protocol';
import { askForm, askUrl, deepFreeze, sample } from './rich-values';

const form = { method: 'elicitation/create', params: askForm } as const;
const url = { method: 'elicitation/create', params: askUrl } as const;
const sampling = { method: 'sampling/createMessage', params: sample } as const;
const roots = { method: 'roots/list', params: {} } as const;

const revisions = ALL_REVISIONS.map((revision) => [revision.version, revision] as const);

describe.each(revisions)('readServerResult of %s', (_version, revision) => {
  const read = <M extends ServerMethod>(request: ServerRequest<M>, result: JsonObject) =>
    revision.readServerResult(request, deepFreeze(result));

  function refusal(request: ServerRequest, result: JsonObject): string {
    try {
      read(request, result);
    } catch (error) {
      if (error instanceof ProtocolError && error.error === 'invalid-params') return error.message;
      throw error;
    }
    throw new Error(`${request.method} was read`);
  }

  it('reads what the user did with a form, and its content only if it was accepted', () => {
    const content = { name: 'a:b' };
    expect(read(form, { action: 'accept', content })).toEqual({ action: 'accept', content });
    expect(read(form, { action: 'accept' })).toEqual({ action: 'accept', content: {} });
    for (const action of ['decline', 'cancel']) expect(read(form, { action, content })).toEqual({ action });
    for (const action of [undefined, null, 'yes', 'constructor']) {
      expect(refusal(form, { action })).toBe('result.action must be one of accept, decline, cancel');
    }
    for (const wrong of [null, [], 'text']) {
      expect(refusal(form, { action: 'accept', content: wrong })).toBe('result.content must be an object');
    }
  });

  it('reads no content of a page', () => {
    expect(read(url, { action: 'accept', content: { name: 'a' } })).toEqual({ action: 'accept' });
    expect(refusal(url, {})).toBe('result.action must be one of accept, decline, cancel');
  });

  const said = { role: 'assistant', model: 'small' } as const;
  const text = { type: 'text', text: 'Rain.' };
  const use = { type: 'tool_use', id: 'u1', name: 'forecast', input: {} };

  it('reads a message of one block and of many alike [SAMP-007]', () => {
    expect(read(sampling, { ...said, content: text, stopReason: 'endTurn' })).toEqual({
      ...said,
      content: [text],
      stopReason: 'endTurn',
    });
    expect(read(sampling, { ...said, content: [text, use], stopReason: null })).toEqual({
      ...said,
      content: [text, use],
    });
    expect(read(sampling, { ...said, content: [] }).content).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ role: 'system' }, 'role must be "assistant" or "user"'],
    [{ model: 7 }, 'model must be a string'],
    [{ stopReason: 7 }, 'stopReason must be a string'],
    [{ content: undefined }, 'content must be a content block, or an array of them'],
    [{ content: 'Rain.' }, 'content must be a content block, or an array of them'],
    [{ content: [text, null] }, 'content[1] must be a content block, or an array of them'],
    [{ content: { type: 'video' } }, 'content.type must be one of text, image, audio, tool_use, tool_result'],
    [{ content: { type: 'toString' } }, 'content.type must be one of text, image, audio, tool_use, tool_result'],
    [{ content: { type: 'text' } }, 'content.text must be a string'],
    [{ content: { type: 'image', data: 'AA==' } }, 'content.mimeType must be a string'],
    [{ content: [{ type: 'audio', mimeType: 'audio/wav' }] }, 'content[0].data must be a string'],
    [{ content: [{ ...use, input: 'Oslo' }] }, 'content[0].input must be an object'],
    [{ content: { type: 'tool_result', toolUseId: 'u1' } }, 'content.content must be an array'],
    [{ content: { type: 'tool_result', content: [] } }, 'content.toolUseId must be a string'],
  ])('refuses a message with %j [SAMP-007]', (wrong, message) => {
    expect(refusal(sampling, { ...said, content: text, ...wrong })).toBe(`result.${message}`);
  });

  it('reads roots, and tolerates that there are none [ROOT-001]', () => {
    const named = { uri: 'file:///home', name: 'Home', _meta: { 'com.example/a': 1 } };
    expect(read(roots, { roots: [named, { uri: 'file:///srv', more: 1 }] })).toEqual({
      roots: [named, { uri: 'file:///srv' }],
    });
    expect(read(roots, { roots: [] })).toEqual({ roots: [] });
    for (const wrong of [undefined, null, {}])
      expect(refusal(roots, { roots: wrong })).toBe('result.roots must be an array');
    expect(refusal(roots, { roots: [null] })).toBe('result.roots[0] must be an object');
    expect(refusal(roots, { roots: [{ name: 'Home' }] })).toBe('result.roots[0].uri must be a string');
    expect(refusal(roots, { roots: [{ uri: 'file:///', name: 1 }] })).toBe('result.roots[0].name must be a string');
  });
});
