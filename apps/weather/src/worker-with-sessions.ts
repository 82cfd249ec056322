/** The server as a Cloudflare Worker with sessions: what `docs/platforms.md` shows. */
/* eslint-disable no-restricted-syntax -- the platform looks for a default export */
// #region worker
import { createServer } from '@sigil-mcp/core';
import { createWorker, type ObjectNamespace } from '@sigil-mcp/http/cloudflare';
import { Climate } from './climate';
import { WeatherFeature } from './weather-feature';

interface Env {
  readonly SESSIONS: ObjectNamespace;
}

const definition = { name: 'weather', version: '0.1.0', features: [WeatherFeature], providers: [Climate] };

const worker = createWorker((options) => createServer({ ...definition, ...options }), {
  path: '/mcp',
  objects: (env: Env) => env.SESSIONS,
});

export const { Sessions } = worker;
export default worker;
// #endregion worker
