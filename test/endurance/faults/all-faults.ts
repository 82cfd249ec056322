/** The faults of the table in docs/reliability.md, in its order. */
import { CONNECTION_FAULTS } from './connection-faults';
import { type Fault, callOf, expectMemoryBack, expectService, headersOf } from './fault';
import { MEMORY_FAULTS } from './memory-faults';
import { PROCESS_FAULTS, hostile } from './process-faults';
import { Agent, request } from 'node:http';
import { settled } from '../../support/watched/settled';
import { WatchedServer } from '../../support/watched/watched-server';

const MANY = 10_000;

/** Calls in flight. */
const LOAD_FAULTS: readonly Fault[] = [
  {
    name: `${MANY.toLocaleString('en')} calls in flight that do not end (HTTP)`,
    expected:
      'each waits or is refused, the process lives, clients of other addresses are answered meanwhile, memory comes back when they leave',
    isQuick: false,
    run: async (report) => {
      const server = await WatchedServer.startHttp(hostile());
      const before = (await server.collect()).heapUsed;
      const agent = new Agent({ keepAlive: false, maxSockets: Infinity });
      let refused = 0;
      for (let count = 0; count < MANY; count++) {
        // An address has its share of calls, so that those who are to be answered meanwhile come from another one.
        const from = { localAddress: '127.0.0.2', agent };
        const call = request(server.url, { method: 'POST', headers: headersOf(callOf('wait')), ...from });
        call
          .on('error', () => undefined)
          .on('response', (response) => {
            if (response.statusCode !== 200) refused++;
            response.resume();
          });
        call.end(JSON.stringify(callOf('wait')));
        if (count % 500 === 0) await settled(() => false, 50);
      }
      await settled(() => false, 3000);
      report.say(refused > 0 ? `${MANY - refused} wait, ${refused} are refused` : 'all are waiting');
      await expectService(report, server);
      agent.destroy();
      await expectMemoryBack(report, server, before);
      await server.end();
    },
  },
  {
    name: `${MANY.toLocaleString('en')} calls in flight that do not end (stdio)`,
    expected: 'each waits or is refused, the process lives, a call after them is answered',
    isQuick: true,
    run: async (report) => {
      const server = WatchedServer.start(hostile());
      let text = '';
      server.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      for (let id = 0; id < MANY; id++) server.stdin.write(`${JSON.stringify({ ...callOf('wait'), id })}\n`);
      server.stdin.write('{"jsonrpc":"2.0","id":"after","method":"ping"}\n');
      await settled(() => text.includes('"after"') || server.ended !== undefined, 20_000);
      report.expect(text.includes('"after"'), 'a ping after them is answered');
      report.expect(server.ended === undefined, 'the process lives');
      await server.end();
    },
  },
];

/** All of them. */
export const FAULTS: readonly Fault[] = [...PROCESS_FAULTS, ...CONNECTION_FAULTS, ...LOAD_FAULTS, ...MEMORY_FAULTS];
