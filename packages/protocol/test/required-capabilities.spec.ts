import { ALL_REVISIONS, findRevision, type ClientCapabilities, type ServerRequest } from '@sigil-mcp/protocol';
import { askForm, askUrl, deepFreeze, sample, sampleWithTools } from './rich-values';

const form: ServerRequest = { method: 'elicitation/create', params: askForm };
const url: ServerRequest = { method: 'elicitation/create', params: askUrl };
const sampling: ServerRequest = { method: 'sampling/createMessage', params: sample };
const withTools: ServerRequest = { method: 'sampling/createMessage', params: sampleWithTools };
const { tools: _tools, toolChoice: _toolChoice, ...lastRound } = sampleWithTools;
const afterTools: ServerRequest = { method: 'sampling/createMessage', params: lastRound };
const roots: ServerRequest = { method: 'roots/list', params: {} };

const all: ClientCapabilities = deepFreeze({
  elicitation: { form: {}, url: {} },
  sampling: { tools: {} },
  roots: {},
});

const missing = (version: string, request: ServerRequest, declared: ClientCapabilities) =>
  findRevision(version)!.missingCapabilities(deepFreeze(request), declared);
const versions = ALL_REVISIONS.map(({ version }) => version);
const since = (first: string) => versions.filter((version) => version >= first);
const before = (first: string) => versions.filter((version) => version < first);

describe('missingCapabilities', () => {
  it.each(versions)('names what nobody declared, on %s [ROOT-001]', (version) => {
    expect(missing(version, sampling, {})).toEqual({ sampling: {} });
    expect(missing(version, withTools, {})).toEqual({ sampling: { tools: {} } });
    expect(missing(version, roots, {})).toEqual({ roots: {} });
    expect(missing(version, form, {})).toEqual({ elicitation: {} });
    expect(missing(version, url, {})).toEqual({ elicitation: { url: {} } });
  });

  it.each(versions)('lacks nothing for sampling and roots that were declared, on %s [ROOT-001]', (version) => {
    expect(missing(version, sampling, { sampling: {} })).toBeUndefined();
    expect(missing(version, roots, { roots: { listChanged: true } })).toBeUndefined();
  });

  it.each(since('2025-06-18'))('takes elicitation without a mode for forms, on %s [ELICIT-004]', (version) => {
    expect(missing(version, form, { elicitation: {} })).toBeUndefined();
    expect(missing(version, form, { elicitation: { form: {} } })).toBeUndefined();
    expect(missing(version, url, { elicitation: {} })).toEqual({ elicitation: { url: {} } });
    expect(missing(version, url, { elicitation: { form: {} } })).toEqual({ elicitation: { url: {} } });
  });

  it.each(since('2025-11-25'))('asks with a form only who declared forms, on %s [ELICIT-004]', (version) => {
    expect(missing(version, form, { elicitation: { url: {} } })).toEqual({ elicitation: { form: {} } });
    expect(missing(version, url, { elicitation: { url: {} } })).toBeUndefined();
    for (const request of [form, url]) expect(missing(version, request, all)).toBeUndefined();
  });

  it('knows no pages in 2025-06-18, whatever the client says', () => {
    expect(missing('2025-06-18', url, all)).toEqual({ elicitation: { url: {} } });
    expect(missing('2025-06-18', form, { elicitation: { url: {} } })).toBeUndefined();
  });

  it.each(before('2025-06-18'))('knows no elicitation whatever the client says, on %s', (version) => {
    expect(missing(version, form, all)).toEqual({ elicitation: {} });
    expect(missing(version, url, all)).toEqual({ elicitation: { url: {} } });
  });

  it.each(since('2025-11-25'))('offers tools only to who declared them, on %s [SAMP-001]', (version) => {
    const choiceOnly: ServerRequest = {
      method: 'sampling/createMessage',
      params: { ...sample, toolChoice: { mode: 'none' } },
    };
    for (const request of [withTools, afterTools, choiceOnly]) {
      expect(missing(version, request, { sampling: {} })).toEqual({ sampling: { tools: {} } });
      expect(missing(version, request, all)).toBeUndefined();
    }
  });

  it.each(before('2025-11-25'))('knows no tools in sampling whatever the client says, on %s [SAMP-001]', (version) => {
    for (const request of [withTools, afterTools]) {
      expect(missing(version, request, all)).toEqual({ sampling: { tools: {} } });
    }
  });
});
