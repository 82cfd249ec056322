/**
 * The suite's client proposes the newest handshake revision, whatever revision its scenarios are asked for. This proxy
 * stands before the server and makes it propose an older one, so that the same scenarios run on every handshake revision.
 */
import { createServer, request as sendRequest } from 'node:http';
import { once } from 'node:events';

/** Returns the URL of the proxy, `negotiated` (the versions that the server settled on) and `stop`. */
export async function openOlderWire(url, version) {
  const target = new URL(url);
  const negotiated = new Set();
  const proxy = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, body } = rewrite(request.headers, Buffer.concat(chunks), version);
      const options = { host: '127.0.0.1', port: target.port, path: request.url, method: request.method, headers };
      const forwarded = sendRequest(options, (answer) => pass(answer, response, negotiated));
      response.on('close', () => forwarded.destroy());
      forwarded.on('error', () => response.destroy());
      forwarded.end(body);
    });
  });
  await once(proxy.listen(0, 'localhost'), 'listening');
  return {
    url: `http://localhost:${proxy.address().port}${target.pathname}`,
    negotiated,
    async stop() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

function rewrite(headers, body, version) {
  const message = parse(body);
  if (message?.method !== 'initialize') return { headers, body };
  const older = JSON.stringify({ ...message, params: { ...message.params, protocolVersion: version } });
  const named = headers['mcp-protocol-version'] === undefined ? {} : { 'mcp-protocol-version': version };
  return { headers: { ...headers, ...named, 'content-length': Buffer.byteLength(older) }, body: older };
}

function pass(answer, response, negotiated) {
  response.writeHead(answer.statusCode, answer.headers);
  answer.on('data', (chunk) => {
    const [, found] = /"protocolVersion":"([^"]+)"/.exec(chunk.toString('utf8')) ?? [];
    if (found) negotiated.add(found);
  });
  answer.on('error', () => response.destroy());
  answer.pipe(response);
}

function parse(body) {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined; // some scenarios send what is no JSON
  }
}
