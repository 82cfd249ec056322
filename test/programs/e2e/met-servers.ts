/** Servers that are started once for all tests of a spec: one for each app and revision, met as a client of the revision meets it. */
import { ALONE_META, type Message } from '../../support/transcript';
import type { Wire } from './wire';
import { Spawner } from '../../support/spawned-server';
import { builtApp } from './built-app';
import { HttpWire } from './http-wire';

/** A transport, and the processes that a test left running on it. */
interface WireKind {
  readonly title: string;
  open(app: string): Promise<Wire>;
  /** For `afterEach`: ends everything, and judges every message by its schema. */
  endAll(): Promise<void>;
}

/** The revisions that begin with a handshake. */
export const HANDSHAKES = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;
/** The revision in which each request stands alone. */
export const PER_REQUEST = '2026-07-28';
/** What such a request says of its client. */
export const VERSIONED = ALONE_META;

/** A server, as a client of one revision met it. */
export interface Met {
  readonly server: Wire;
  /** Asks in the way of the revision. */
  ask(method: string, params?: object): Promise<Message>;
  /** What the server answered first. */
  readonly opening: Message;
}

/** @returns meets an app as a client of a revision does; one that has met it already goes on with it */
export function meetOnce(wires: WireKind): (app: string, revision: string) => Promise<Met> {
  const met = new Map<string, Promise<Met>>();
  // It also judges every message of the servers by its schema.
  afterAll(() => wires.endAll());
  return (app, revision) => {
    const key = `${app} ${revision}`;
    const known = met.get(key) ?? meet(wires, app, revision);
    met.set(key, known);
    return known;
  };
}

async function meet(wires: WireKind, app: string, revision: string): Promise<Met> {
  const server = await wires.open(app);
  if (revision === PER_REQUEST) {
    const ask: Met['ask'] = (method, params) => server.requestAlone(method, params);
    return { server, ask, opening: await ask('server/discover') };
  }
  const opening = await server.initialize(revision);
  return { server, ask: (method, params) => server.request(method, params), opening };
}

/** Every transport, for the tests of one file. */
export function wireKinds(): readonly WireKind[] {
  return [stdioWires(), httpWires()];
}

function stdioWires(): WireKind {
  const spawner = new Spawner();
  return {
    title: 'over stdio',
    open: async (app) => {
      const server = spawner.spawn(builtApp(app));
      const cancel = (requestId: number): void =>
        server.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
      return Object.assign(server, { cancel });
    },
    endAll: () => spawner.endAll(),
  };
}

function httpWires(): WireKind {
  const wires: HttpWire[] = [];
  return {
    title: 'over HTTP',
    open: async (app) => {
      const wire = await HttpWire.open(app);
      wires.push(wire);
      return wire;
    },
    endAll: async () => {
      const open = wires.splice(0);
      await Promise.all(open.map((wire) => wire.end()));
      expect(open.flatMap((wire) => wire.schemaErrors())).toEqual([]);
    },
  };
}
