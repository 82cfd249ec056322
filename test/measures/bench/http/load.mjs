/** A lean HTTP load on keep-alive connections, from a process of its own. `node load.mjs '<json job>'` prints one JSON line. */
import { connect } from 'node:net';
import { ResponseReader } from './response-reader.mjs';

/**
 * `headers` may be a list: those of each connection, in turn.
 * @typedef {{ port: number, path: string, headers: Record<string, string> | Record<string, string>[], body: string, concurrency: number, seconds: number, calls?: number }} Job
 */

/** Calls in a loop on each connection until the time is over, or the number of calls is reached. */
async function run({ port, path, headers, body, concurrency, seconds, calls = Infinity }) {
  const requests = [headers].flat().map((each) => Buffer.from(requestText(path, each, body)));
  const state = { done: 0, bytes: 0, failed: 0, calls, until: performance.now() + seconds * 1000 };
  const started = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(
    Array.from({ length: concurrency }, (_, index) => loop(port, requests[index % requests.length], state)),
  );
  const elapsed = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  return {
    rate: state.done / elapsed,
    calls: state.done,
    failed: state.failed,
    bytes: state.bytes / state.done,
    client: (user + system) / 1e6 / elapsed,
  };
}

function requestText(path, headers, body) {
  const head = {
    host: 'localhost',
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  };
  const lines = Object.entries({ ...head, 'content-length': Buffer.byteLength(body) }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
}

function loop(port, request, state) {
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader();
    const socket = connect(port, '127.0.0.1', () => socket.write(request));
    socket.setNoDelay(true);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      if (!reader.push(chunk)) return;
      state.done += 1;
      state.bytes += reader.bytes;
      if (!reader.isOk) state.failed += 1;
      reader.reset();
      if (performance.now() < state.until && state.done < state.calls) socket.write(request);
      else socket.end(resolve);
    });
  });
}

process.stdout.write(`${JSON.stringify(await run(JSON.parse(process.argv[2] ?? '{}')))}\n`);
