/** The page that the browser comes back to: anybody on this machine may ask for it. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { RedirectListener } from '../../src/sign-in/browser-sign-in';

it.each(['//', '//[', 'http://', '/callback', '/callback?state=made-up&code=x', '/callback?state=&code=x'])(
  'GET %s is answered with 404, and is no answer of an authorization server',
  async (target) => {
    const listener = await RedirectListener.open(0);
    const { port } = new URL(listener.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
    const answered = await Promise.race([listener.answer, Promise.resolve('nothing')]);
    expect(answered).toBe('nothing');
    listener.close();
  },
);
