/** What an extension adds to a revision, as values from outside of the package. */
import {
  ALL_REVISIONS,
  ProtocolError,
  TypedResult,
  compileRevision,
  extendRevision,
  type JsonObject,
  type ListenField,
  type MetaKey,
  type NotificationOperation,
  type Operation,
  type ResultType,
  type Revision,
} from '@sigil-mcp/protocol';

interface Ticket {
  readonly ticket: string;
}

const readTicket = ({ ticket }: JsonObject): Ticket => {
  if (typeof ticket !== 'string') throw new ProtocolError('invalid-params', 'params.ticket must be a string');
  return { ticket };
};
const writeTicket = ({ ticket }: Ticket): JsonObject => ({ ticket });

const GET: Operation<'tickets/get', Ticket, Ticket> = {
  method: 'tickets/get',
  nameParameter: 'ticket',
  compile: () => ({
    readParams: readTicket,
    writeParams: writeTicket,
    readResult: readTicket,
    writeResult: writeTicket,
  }),
};
const CHANGED: NotificationOperation<'notifications/tickets', Ticket> = {
  method: 'notifications/tickets',
  compile: () => ({ readParams: readTicket, writeParams: writeTicket }),
};
const ANNOUNCED = {
  method: 'extension',
  extension: 'com.example/tickets',
  notification: CHANGED.method,
  params: { ticket: '7' },
} as const;
const SEEN: NotificationOperation<'notifications/tickets/seen', Ticket> = {
  ...CHANGED,
  method: 'notifications/tickets/seen',
};
const PRIORITY: MetaKey<number> = {
  name: 'com.example/priority',
  read(value, at) {
    if (typeof value === 'number') return value;
    throw new ProtocolError('invalid-params', `${at}.com.example/priority must be a number`);
  },
};
const TICKET: ResultType<Ticket> = { name: 'ticket', methods: ['tools/call'], write: writeTicket, read: readTicket };
const TICKETS: ListenField<readonly string[]> = {
  name: 'tickets',
  read(value, at) {
    if (Array.isArray(value) && value.every((one): one is string => typeof one === 'string')) return value;
    throw new ProtocolError('invalid-params', `${at}.tickets must be an array of strings`);
  },
};

const extended = (revision: Revision): Revision =>
  compileRevision(
    extendRevision(revision.rules, {
      adds: {
        requests: [GET],
        clientNotifications: [SEEN],
        serverNotifications: [CHANGED],
        metaKeys: [PRIORITY],
        resultTypes: [TICKET],
        listenFields: [TICKETS],
        fields: {
          ServerCapabilities: revision.rules.fields.ServerCapabilities?.includes('extensions') ? [] : ['extensions'],
        },
      },
    }),
  );

const SERVER = { name: 'tickets', version: '1.0.0' };
const metaOf = (revision: Revision, more: JsonObject): JsonObject =>
  revision.lifecycle === 'handshake'
    ? more
    : {
        'io.modelcontextprotocol/protocolVersion': revision.version,
        'io.modelcontextprotocol/clientCapabilities': {},
        ...more,
      };

describe.each(ALL_REVISIONS.map((revision) => [revision.version, revision] as const))(
  'an extension of %s',
  (_, known) => {
    const revision = extended(known);
    // The name is of the extension: what the types of methods do not know is read as any method is.
    const method = 'tickets/get' as 'ping';

    it('adds a request in both directions, and leaves the revision as it was', () => {
      expect(revision.version).toBe(known.version);
      expect(revision.requests).toContain('tickets/get');
      expect(known.requests).not.toContain('tickets/get');
      expect(revision.readRequest(method, { ticket: '7', more: 1 })).toEqual({ ticket: '7' });
      expect(() => revision.readRequest(method, {})).toThrow('params.ticket must be a string');
      expect(revision.http.nameHeader.get('tickets/get')).toBe(known.http.nameHeader.size > 0 ? 'ticket' : undefined);
      expect(revision.writerFor(SERVER).writeResult(method, { ticket: '7' })).toMatchObject({ ticket: '7' });
    });

    it('adds notifications in both directions', () => {
      expect(revision.writeNotification({ ...ANNOUNCED, subscriptionId: 3 })).toEqual({
        jsonrpc: '2.0',
        method: 'notifications/tickets',
        params: {
          ticket: '7',
          ...(revision.requests.has('subscriptions/listen') && {
            _meta: { 'io.modelcontextprotocol/subscriptionId': 3 },
          }),
        },
      });
      expect(known.writeNotification({ ...ANNOUNCED })).toBeUndefined();
      expect(revision.notifications).toContain('notifications/tickets/seen');
      expect(revision.readNotification('notifications/tickets/seen', { ticket: '7' })).toEqual({ ticket: '7' });
      expect(known.readNotification('notifications/tickets/seen', { ticket: '7' })).toBeUndefined();
    });

    it('reads keys of _meta, and reports wrong values', () => {
      const { values } = revision.readMeta({ _meta: metaOf(revision, { 'com.example/priority': 2 }) });
      expect(values?.get(PRIORITY)).toBe(2);
      const wrong = { _meta: metaOf(revision, { 'com.example/priority': 'high' }) };
      expect(() => revision.readMeta(wrong)).toThrow('params._meta.com.example/priority must be a number');
      expect(known.readMeta(wrong).values).toBeUndefined();
    });

    it('writes and reads a result of its own type where results have types', () => {
      const hasTypes = revision.rules.resultEnvelope === 'complete';
      expect(revision.resultTypes.has(TICKET)).toBe(hasTypes);
      if (!hasTypes) return;
      const text = revision.writerFor(SERVER).writeResultText('tools/call', new TypedResult(TICKET, { ticket: '7' }));
      const written = JSON.parse(text) as JsonObject;
      expect(written).toEqual({
        resultType: 'ticket',
        ticket: '7',
        _meta: { 'io.modelcontextprotocol/serverInfo': SERVER },
      });
      expect(revision.readTypedResult('tools/call', written)).toEqual(new TypedResult(TICKET, { ticket: '7' }));
      expect(revision.readTypedResult('prompts/get', written)).toBeUndefined();
      const complete = revision.writerFor(SERVER).writeResultText('tools/call', { content: [], isError: false });
      expect(JSON.parse(complete)).toMatchObject({ resultType: 'complete', content: [] });
    });

    it('reads its field of a subscription filter', () => {
      if (!revision.requests.has('subscriptions/listen')) return;
      const filter = { toolsListChanged: true, tickets: ['7'], unknown: 1 };
      const read = revision.readRequest('subscriptions/listen', { notifications: filter });
      expect(read.notifications).toEqual({ toolsListChanged: true, tickets: ['7'] });
      expect(known.readRequest('subscriptions/listen', { notifications: filter }).notifications).toEqual({
        toolsListChanged: true,
      });
      expect(() => revision.readRequest('subscriptions/listen', { notifications: { tickets: 7 } })).toThrow(
        'params.notifications.tickets must be an array of strings',
      );
    });
  },
);
