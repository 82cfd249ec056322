/** The weather server with metrics, as docs/telemetry.md shows it: its own program, scraped over HTTP. */
import { connect } from '@sigil-mcp/testing';
import { freePort } from '../../support/free-port';
import { HttpApp } from './http-app';

it('serves metrics on a port of their own, and not to clients of the server', async () => {
  const port = await freePort();
  const app = await HttpApp.start('weather', { OTEL_EXPORTER_PROMETHEUS_PORT: `${port}` }, 'with-metrics.js');
  const client = await connect(new URL('/mcp', app.url).href);
  expect(await client.callTool('forecast', { city: 'Oslo' })).toMatchObject({ isError: false });
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/^mcp_server_operation_duration_bucket\{.*gen_ai_tool_name="forecast".*le="0.001".*\} \d+$/m);
  expect(metrics).toMatch(/^sigil_event_loop_delay\{.*\} [\d.e-]+$/m);
  expect(metrics).toMatch(/^sigil_server_held_limit\{.*sigil_server="weather".*\} \d+$/m);
  expect((await fetch(new URL('/metrics', app.url))).status).toBe(404);
  await client.close();
  // Another instance on this machine.
  const env = { OTEL_EXPORTER_PROMETHEUS_PORT: `${port}` };
  await expect(HttpApp.start('weather', env, 'with-metrics.js')).rejects.toThrow(/EADDRINUSE.*:\d+/);
  app.kill('SIGKILL');
  await app.exit;
});
