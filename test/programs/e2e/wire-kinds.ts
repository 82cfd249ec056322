/** The raw wires: every transport, with a process for each client; all messages are judged by their schemas. */
import { Spawner } from '../../support/spawned-server';
import { builtApp } from './built-app';
import { HttpWire } from './http-wire';
import type { Wire } from './wire';

/** A transport, and the processes that a test left running on it. */
export interface WireKind {
  readonly title: string;
  open(app: string): Promise<Wire>;
  /** For `afterEach`: ends everything, and judges every message by its schema. */
  endAll(): Promise<void>;
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
