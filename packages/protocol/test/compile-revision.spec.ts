import { ALL_REVISIONS, InvalidArguments, ProtocolError, type Method, type Revision } from '@sigil-mcp/protocol';
import { describeWithSchemas } from '../../../test/support/supplies/official-schema';
import { validateMessage } from '../../../test/support/supplies/judge-message';
import { deepFreeze, notifications, results, server } from './rich-values';

deepFreeze([results, notifications, server]);

/** What the revision writes for the richest result of a method, as it would travel. */
function respond<M extends Method>(revision: Revision, method: M): unknown {
  const result = revision.writerFor(server).writeResult(method, results[method]);
  return JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
}

describeWithSchemas('what a revision writes', () => {
  describe.each(ALL_REVISIONS.map((revision) => [revision.version, revision] as const))('%s', (version, revision) => {
    it.each([...revision.requests] as Method[])('fits the official schema: %s [BASE-001] [BASE-004]', (method) => {
      expect(validateMessage(version, respond(revision, method), { method, direction: 'server' })).toEqual([]);
    });

    it.each(notifications.map((notification) => [notification.method, notification] as const))(
      'fits the official schema: %s [BASE-011]',
      (_method, notification) => {
        const written = revision.writeNotification(notification);
        if (written === undefined) expect(revision.requests).not.toContain('subscriptions/listen');
        else expect(validateMessage(version, written, { direction: 'server' })).toEqual([]);
      },
    );

    it('fits the official schema when it fails [BASE-006]', () => {
      const failures = [
        revision
          .writerFor(server)
          .writeFailure(new ProtocolError('resource-not-found', 'no', { uri: 'a' }), 'resources/read'),
        revision.writerFor(server).writeFailure(new InvalidArguments('city must be a string'), 'tools/call'),
      ];
      for (const failure of failures) {
        const message: unknown = JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, ...failure }));
        expect(validateMessage(version, message, { method: 'tools/call', direction: 'server' })).toEqual([]);
      }
    });
  });
});
