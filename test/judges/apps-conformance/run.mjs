/**
 * The MCP Apps conformance of `@mcpjam/sdk` against a server of ours with views, over HTTP. Takes the folder in which the suite is
 * installed. Exits with 1 for what fails.
 */
import { apps, view } from '@sigil-mcp/apps';
import { createServer, tool } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , folder] = process.argv;
const found = createRequire(join(folder, 'package.json')).resolve('@mcpjam/sdk');
const { MCPAppsConformanceTest } = await import(pathToFileURL(found).href);

/** The checks of the suite: a version with fewer is noticed. */
const CHECKS = 7;

const chart = view('ui://judged/chart', {
  name: 'chart',
  file: './chart.html',
  csp: { connectDomains: ['https://api.example.com'], resourceDomains: ['https://*.example.com'] },
  permissions: ['camera', 'clipboardWrite'],
  border: true,
});
const hello = view('ui://judged/hello', { name: 'hello' }, () => '<!doctype html><html lang="en"><p>Hello</p></html>');
const input = { type: 'object', properties: { days: { type: 'integer' } }, additionalProperties: false };

const server = createServer({
  name: 'judged',
  version: '1.0.0',
  features: [
    chart,
    hello,
    tool('series', { description: 'A series', input, view: 'chart' }, () => ({ days: [1, 2, 3] })),
    tool('refresh', { description: 'A newer series', input, view: 'chart', visibleTo: ['app'] }, () => 'newer'),
    tool('greet', { description: 'Greets', view: 'hello', visibleTo: ['model', 'app'] }, () => 'Hello'),
    tool('plain', { description: 'Has no view' }, () => 'plain'),
  ],
  extensions: [apps({ chatgpt: process.argv.includes('--chatgpt') })],
  logger: false,
});
const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false });
await server.listen(transport);
try {
  await judge(transport.url);
} finally {
  await server.close();
}

async function judge(url) {
  const { passed, checks, summary } = await new MCPAppsConformanceTest({ url, timeout: 30_000 }).run();
  for (const { id, status, error, warnings = [] } of checks) {
    console.log(`${status === 'passed' ? 'passed' : 'FAILED'} ${id}${error ? `: ${error.message}` : ''}`);
    for (const warning of warnings) console.log(`  ${warning}`);
  }
  const isComplete = checks.length === CHECKS && checks.every(({ status }) => status === 'passed');
  console.log(`${checks.filter(({ status }) => status === 'passed').length} of ${CHECKS}`);
  if (passed && isComplete) return;
  process.exitCode = 1;
  console.log(`  ${summary}`);
}
