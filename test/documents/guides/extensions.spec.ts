/** What `docs/extensions.md` says and shows. */
import {
  MemoryTransport,
  ProtocolError,
  TypedResult,
  createFact,
  createServer,
  entryOption,
  extensionMethod,
  tool,
  type DetachedCall,
  type Extension,
  type ExtensionListenField,
  type JsonObject,
  type Logger,
  type NotificationOperation,
  type Operation,
  type ResultType,
} from '@sigil-mcp/core';
import { randomUUID } from 'node:crypto';
import { connect as connectClient } from '@sigil-mcp/client';
import { connect } from '@sigil-mcp/testing';

// #region operation
interface TicketName {
  readonly ticket: string;
}
interface Ticket extends TicketName {
  readonly status: 'open' | 'done' | 'failed';
}

/** `tickets/get`: its name, and its parameters and result in both directions. */
const TICKETS_GET: Operation<'tickets/get', TicketName, Ticket> = {
  method: 'tickets/get',
  nameParameter: 'ticket', // the header Mcp-Name repeats it
  compile: () => ({
    readParams({ ticket }) {
      if (typeof ticket === 'string') return { ticket };
      throw new ProtocolError('invalid-params', 'params.ticket must be a string');
    },
    writeParams: ({ ticket }) => ({ ticket }),
    readResult: (result) => result as JsonObject & Ticket,
    writeResult: ({ ticket, status }) => ({ ticket, status }),
  }),
};
// #endregion operation

// #region values
/** A tool call that is answered with a ticket in place of its result. */
const TICKET: ResultType<Ticket> = {
  name: 'ticket',
  methods: ['tools/call'],
  write: ({ ticket, status }) => ({ ticket, status }),
  read: (result) => result as JsonObject & Ticket,
};

/** A notification of the server. */
const TICKETS_CHANGED: NotificationOperation<'notifications/tickets', Ticket> = {
  method: 'notifications/tickets',
  compile: () => ({
    readParams: (params) => params as JsonObject & Ticket,
    writeParams: ({ ticket, status }) => ({ ticket, status }),
  }),
};
// #endregion values

// #region field
/** `tickets: true` in the filter of `subscriptions/listen`. */
const TICKETS_FIELD: ExtensionListenField<boolean> = {
  name: 'tickets',
  read(value, at) {
    if (typeof value === 'boolean') return value;
    throw new ProtocolError('invalid-params', `${at}.tickets must be true or false`);
  },
  // What the caller may have of it; undefined for nothing. The acknowledgement says which it was.
  honour: (wanted) => wanted || undefined,
  covers: (_wanted, { method }) => method === TICKETS_CHANGED.method,
};
// #endregion field

// #region extension
const NAME = 'com.example/tickets';

/** `@Ticketed({ minutes: 10 })`: the calls of this tool may be answered with a ticket. */
export const Ticketed = createFact<{ readonly minutes: number }>({ label: 'Ticketed', extension: NAME });

export function tickets(): Extension {
  const all = new Map<string, { status: Ticket['status']; work?: DetachedCall }>();
  return {
    name: NAME,
    protocol: {
      capabilities: (entries) => ({ tools: [...entries.entries('tool')].filter(Ticketed.of).length }),
      methods: [
        extensionMethod(TICKETS_GET, (call) => {
          const { ticket } = call.params;
          const found = all.get(ticket);
          if (!found?.work?.belongsTo(call)) throw new ProtocolError('invalid-params', `Unknown ticket: ${ticket}`);
          return { ticket, status: found.status };
        }),
      ],
      resultTypes: [TICKET],
      serverNotifications: [TICKETS_CHANGED],
      listenFields: [TICKETS_FIELD],
    },
    check(entry, report) {
      const { minutes = 1 } = Ticketed.of(entry) ?? {};
      if (minutes > 0) return;
      const where = `${entry.kind} ${entry.key}`;
      report({ code: 'TICKET_MINUTES', where, problem: 'a ticket takes no time.', fix: 'Use minutes above 0.' });
    },
    stage(entry) {
      const ticketed = Ticketed.of(entry);
      if (!ticketed) return undefined; // costs nothing for all other entries
      return {
        run(call, next, { notify }) {
          if (!call.canAnswerWith(TICKET)) return next();
          const ticket = randomUUID();
          const known: { status: Ticket['status']; work?: DetachedCall } = { status: 'open' };
          all.set(ticket, known);
          known.work = call.detach(next, { timeout: ticketed.minutes * 60_000 });
          const end = (status: Ticket['status']) => () => {
            known.status = status;
            notify(TICKETS_CHANGED, { ticket, status }, { principal: call.context.caller.principal });
          };
          known.work.result.then(end('done'), end('failed'));
          return new TypedResult(TICKET, { ticket, status: 'open' });
        },
      };
    },
  };
}
// #endregion extension

// #region start
interface Counter {
  readonly calls: Map<string, number>;
  stop(): void;
}

const counter: Extension<Counter> = {
  name: 'com.example/counter',
  stage: ({ key }) => ({
    isForEveryone: true,
    run(_call, next, { calls }) {
      calls.set(key, (calls.get(key) ?? 0) + 1);
      return next();
    },
  }),
  start({ logger }) {
    const calls = new Map<string, number>();
    return { calls, stop: () => logger.info(Object.fromEntries(calls), 'Calls until now') };
  },
};
// #endregion start

const report = tool(
  'report',
  { description: 'Writes the report', facts: [Ticketed.with({ minutes: 10 })] },
  () => 'done',
);

// #region server
const server = createServer({ name: 'reports', version: '1.0.0', features: [report], extensions: [tickets()] });
// #endregion server

afterAll(() => server.close());

// #region option
declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /** Minutes that the calls of a tool may take as a ticket; no ticket if left out. */
    readonly ticketMinutes?: number;
  }
}

/** `@Tool('...', { ticketMinutes: 10 })` in place of the decorator. */
export const TICKET_MINUTES = entryOption({
  kind: 'tool',
  name: 'ticketMinutes',
  fact: Ticketed,
  read(value, report) {
    if (typeof value === 'number' && value > 0) return { minutes: value };
    report({ code: 'TICKET_MINUTES', problem: 'ticketMinutes is no number of minutes.', fix: 'Use a number above 0.' });
    return undefined;
  },
});
// #endregion option

it('answers with a ticket, which the client that declared the extension reads', async () => {
  const client = await connect(server, { capabilities: { extensions: { [NAME]: {} } } });
  const answer = await client.request('tools/call', { name: 'report', arguments: {} });
  expect(answer).toMatchObject({ resultType: 'ticket', status: 'open' });
  const { ticket = '' } = answer;
  for (let status: unknown = 'open'; status !== 'done';) ({ status } = await client.request('tickets/get', { ticket }));
  await expect(client.request('tickets/get', { ticket: 'x' })).rejects.toThrow('Unknown ticket: x');
});

it('answers an operation in a test as in a client', async () => {
  // #region test
  const client = await connect(server, { capabilities: { extensions: { [NAME]: {} } } });
  const { ticket } = TICKET.read(await client.request('tools/call', { name: 'report', arguments: {} }));
  const { status } = await client.request(TICKETS_GET, { ticket });
  expect(status).toMatch(/open|done/);
  // #endregion test
  await expect(client.request(TICKETS_GET, { ticket: 'x' })).rejects.toThrow('Unknown ticket: x');
  // @ts-expect-error -- an operation says what its parameters are
  await expect(client.request(TICKETS_GET, { name: 'x' })).rejects.toThrow('params.ticket must be a string');
});

it('notifies subscriptions with its field, and no others', async () => {
  const subscribed = await connect(server, { capabilities: { extensions: { [NAME]: {} } } });
  const other = await connect(server, { capabilities: { extensions: { [NAME]: {} } } });
  for (const [client, tickets] of [
    [subscribed, true],
    [other, false],
  ] as const) {
    client.start('subscriptions/listen', { notifications: { tickets, toolsListChanged: true } });
    const { params } = await client.waitForNotification('notifications/subscriptions/acknowledged');
    expect(params).toMatchObject({ notifications: { toolsListChanged: true, ...(tickets && { tickets }) } });
  }
  await subscribed.request('tools/call', { name: 'report', arguments: {} });
  const { params } = await subscribed.waitForNotification('notifications/tickets');
  expect(params).toMatchObject({ status: 'done' });
  expect(other.notifications('notifications/tickets')).toEqual([]);
  await expect(subscribed.request('subscriptions/listen', { notifications: { tickets: 'all' } })).rejects.toThrow(
    'tickets must be true or false',
  );
});

it('refuses an entry with what its check reports', () => {
  const never = tool('never', { description: 'Never', facts: [Ticketed.with({ minutes: 0 })] }, () => 'done');
  const define = (): unknown =>
    createServer({ name: 'reports', version: '1.0.0', features: [never], extensions: [tickets()], logger: false });
  expect(define).toThrow('tool never: a ticket takes no time.');
});

it('answers completely elsewhere', async () => {
  const client = await connect(server);
  expect(await client.callTool('report')).toMatchObject({ content: [{ text: 'done' }] });
  await expect(client.request('tickets/get', { ticket: 'x' })).rejects.toMatchObject({ code: -32021 });
});

it('is read by a client with the same values', async () => {
  const memory = new MemoryTransport();
  const other = createServer({ name: 'reports', version: '1.0.0', features: [report], extensions: [tickets()] });
  await other.listen(memory);
  const said: string[] = [];
  const connect = connectClient;
  // #region client
  const client = await connect({ memory }, { capabilities: { extensions: { [NAME]: {} } } });
  client.on(TICKETS_CHANGED, ({ ticket, status }) => said.push(`${ticket} is ${status}`));
  const answer = await client.request('tools/call', { name: 'report', arguments: {} }, { resultTypes: [TICKET] });
  if (answer instanceof TypedResult) {
    const { status } = await client.request(TICKETS_GET, { ticket: answer.value.ticket });
    said.push(`now it is ${status}`);
  }
  // #endregion client
  expect(said).toEqual([expect.stringMatching(/^now it is (open|done)$/)]);
  await client.close();
  await other.close();
});

it('counts the calls of each server, and says them at its end', async () => {
  const lines: object[] = [];
  const info = (fields: object): number => lines.push(fields);
  const logger = { debug: jest.fn(), info, warn: jest.fn(), error: jest.fn() } as unknown as Logger;
  const extensions = [tickets(), counter];
  const counted = createServer({ name: 'reports', version: '1.0.0', features: [report], extensions, logger });
  const client = await connect(counted);
  await client.callTool('report');
  await client.callTool('report');
  await client.close();
  await counted.close();
  expect(lines).toContainEqual({ report: 2 });
});

it('reads an option of a tool as the fact', () => {
  const extension: Extension = { ...tickets(), options: [TICKET_MINUTES] };
  const wrong = tool('slow', { description: 'Slow', ticketMinutes: -1 }, () => 'done');
  const define = (feature: typeof wrong) =>
    createServer({ name: 'reports', version: '1.0.0', features: [feature], extensions: [extension], logger: false });
  expect(() => define(wrong)).toThrow('tool("slow"): ticketMinutes is no number of minutes.');
  expect(() => define({ ...wrong, ticketMinutes: 5 })).not.toThrow();
});
