/** Keep-alive connections to one server, for requests that were written beforehand. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { ResponseReader } from '../http/response-reader.mjs';

/** Several of them keep a server busy. */
export class Connections {
  static async open(port, count) {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').setNoDelay(true));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    return new Connections(sockets);
  }

  constructor(sockets) {
    this.sockets = sockets;
  }

  /**
   * Sends requests, on each connection one after the other, and waits until all are answered.
   * @param look is shown each answer, as `ResponseReader` has read it, and may throw
   */
  async send(requests, look = () => undefined) {
    const rest = requests.values();
    await Promise.all(this.sockets.map((socket) => sendRest(socket, rest, look)));
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
  }
}

function sendRest(socket, requests, look) {
  return new Promise((resolve, reject) => {
    const reader = new ResponseReader();
    const end = (settle) => {
      socket.off('data', read).off('error', reject);
      settle();
    };
    const sendNext = () => {
      const { value, done } = requests.next();
      if (done) end(resolve);
      else socket.write(value);
    };
    const read = (chunk) => {
      if (!reader.push(chunk)) return;
      if (!reader.isOk) return end(() => reject(new Error(`A request failed: ${chunk.toString('latin1')}`)));
      try {
        look(reader);
      } catch (error) {
        return end(() => reject(error));
      }
      reader.reset();
      sendNext();
    };
    socket.on('data', read).on('error', reject);
    sendNext();
  });
}
