import { ALL_REVISIONS, findRevision } from '@sigil-mcp/protocol';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { validateMessage } from '../../../test/support/supplies/judge-message';
import { deepFreeze, notifications } from './rich-values';

describe('notificationWriter', () => {
  it('writes JSON-RPC 2.0 without an id, and parameters only where there are some [BASE-001] [BASE-011]', () => {
    for (const revision of ALL_REVISIONS) {
      for (const notification of notifications) {
        const { method, ...params } = deepFreeze(notification);
        const written = revision.writeNotification(notification);
        // Only a revision with subscriptions has words for theirs.
        if (written === undefined) expect(revision.requests).not.toContain('subscriptions/listen');
        if (written === undefined || 'subscriptionId' in params) continue;
        expect(written).toMatchObject({ jsonrpc: '2.0', method });
        expect(written).not.toHaveProperty('id');
        expect(written?.params === undefined).toBe(Object.keys(params).length === 0);
      }
    }
  });

  it('tags what a subscription delivers, keeping the type of the id', () => {
    const changed = { method: 'notifications/tools/list_changed', subscriptionId: 7 } as const;
    const [oldest] = ALL_REVISIONS;
    expect(oldest?.writeNotification(changed)).toEqual({ jsonrpc: '2.0', method: changed.method });
    expect(findRevision('2026-07-28')!.writeNotification(changed)).toEqual({
      jsonrpc: '2.0',
      method: changed.method,
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 7 } },
    });
  });

  it('writes the message of progress from 2025-03-26 on', () => {
    const progress = { method: 'notifications/progress', progressToken: 'a', progress: 1, message: 'half' } as const;
    const write = (version: string) => findRevision(version)!.writeNotification(progress)?.params;
    expect(write('2024-11-05')).toEqual({ progressToken: 'a', progress: 1 });
    expect(write('2025-03-26')).toEqual({ progressToken: 'a', progress: 1, message: 'half' });
  });

  it('says that a page was left in 2025-11-25 only [ELICIT-014]', () => {
    const left = { method: 'notifications/elicitation/complete', elicitationId: 'e-1' } as const;
    const written = ALL_REVISIONS.map((revision) => revision.writeNotification(deepFreeze(left)));
    const { method, ...params } = left;
    expect(written).toEqual([undefined, undefined, undefined, { jsonrpc: '2.0', method, params }, undefined]);
  });
});

describeWithSchemas('the notifications of a server, by the official schemas', () => {
  it('are valid where a page was left', () => {
    const left = { method: 'notifications/elicitation/complete', elicitationId: 'e-1' } as const;
    const written = findRevision('2025-11-25')!.writeNotification(left);
    expect(validateMessage('2025-11-25', written, { direction: 'server' })).toEqual([]);
  });
});
