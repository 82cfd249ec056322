/** The client's side of a server process, as lean as possible: bytes out, newlines counted in what comes back. */
import { spawn } from 'node:child_process';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const opening = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } };

/** Requests are written as text around their id. */
export const initializeLine = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: opening })}\n`;
export const listLine = '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}\n';
const call = { name: 'forecast', arguments: { city: 'Oslo', days: 3 } };
const withParams = (params) => `,"method":"tools/call","params":${JSON.stringify(params)}}\n`;
export const calls = { handshake: withParams(call), 'per request': withParams({ ...call, _meta: META }) };

export class StdioProcess {
  constructor(command) {
    this.child = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] });
    this.onChunk = () => undefined;
    this.child.stdout.on('data', (chunk) => this.onChunk(chunk));
  }

  /** Sends one line, waits for one line. */
  ask(line) {
    return new Promise((resolve) => {
      let text = '';
      this.onChunk = (chunk) => {
        text += chunk.toString('utf8');
        if (text.endsWith('\n')) resolve(text);
      };
      this.child.stdin.write(line);
    });
  }

  /**
   * Keeps calls in flight for a while.
   * @returns calls answered in a second, and the share of a core that this client used for it
   */
  load(suffix, { inFlight, seconds }) {
    let id = 100;
    let answered = 0;
    const send = (count) => {
      let lines = '';
      for (; count > 0; count -= 1) lines += `{"jsonrpc":"2.0","id":${id++}${suffix}`;
      this.child.stdin.write(lines);
    };
    return new Promise((resolve) => {
      const started = performance.now();
      const cpu = process.cpuUsage();
      this.onChunk = (chunk) => {
        let count = 0;
        for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) count += 1;
        answered += count;
        const elapsed = (performance.now() - started) / 1000;
        if (elapsed < seconds) send(count);
        else if (answered === id - 100) {
          const { user, system } = process.cpuUsage(cpu);
          resolve({ rate: answered / elapsed, client: (user + system) / 1e6 / elapsed });
        }
      };
      send(inFlight);
    });
  }

  async end() {
    const closed = new Promise((resolve) => this.child.once('close', resolve));
    this.child.stdin.end();
    await closed;
  }
}
