import { SERVER_DISCOVER, PING } from '../src/operations/lifecycle';
import { RULES_2024_11_05 } from '../src/revisions/2024-11-05';
import { extendRevision } from '../src/revisions/extend-revision';
import { deepFreeze } from './rich-values';

describe('extendRevision', () => {
  it('keeps what a delta does not mention', () => {
    const next = extendRevision(RULES_2024_11_05, { version: 'next' });
    expect(next).toEqual({ ...RULES_2024_11_05, version: 'next' });
  });

  it('adds, removes and replaces, and leaves its base as it was', () => {
    const base = deepFreeze(RULES_2024_11_05);
    const next = extendRevision(base, {
      version: 'next',
      adds: { requests: [SERVER_DISCOVER], fields: { Tool: ['title'], Icon: ['src'] } },
      removes: { requests: [PING], notifications: ['notifications/progress'] },
      errorCodes: { 'resource-not-found': -1 },
      http: { polling: true },
    });
    expect(next.requests).toEqual([...base.requests.filter((operation) => operation !== PING), SERVER_DISCOVER]);
    expect(next.notifications).not.toContain('notifications/progress');
    expect(next.fields.Tool).toEqual(['name', 'description', 'inputSchema', 'title']);
    expect(next.fields.Icon).toEqual(['src']);
    expect(next.fields.Prompt).toEqual(base.fields.Prompt);
    expect(next.errorCodes).toEqual({ ...base.errorCodes, 'resource-not-found': -1 });
    expect(next.http).toEqual({ ...base.http, polling: true });
  });

  it('removes members of nouns, and a noun with its last one', () => {
    const base = deepFreeze(RULES_2024_11_05);
    const next = extendRevision(base, {
      version: 'next',
      adds: { fields: { Icon: ['src', 'theme'] } },
      removes: { fields: { Tool: ['description'], Icon: ['theme'], PromptMessage: ['role', 'content'] } },
    });
    expect(next.fields.Tool).toEqual(['name', 'inputSchema']);
    expect(next.fields.Icon).toEqual(['src']);
    expect(next.fields).not.toHaveProperty('PromptMessage');
    expect(next.fields.Prompt).toBe(base.fields.Prompt);
    expect(base.fields.PromptMessage).toEqual(['role', 'content']);
  });
});
