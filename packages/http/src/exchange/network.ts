/** The connection of messages over HTTP, for observers. */
import type { Network } from '@sigil-mcp/core/adapter';

/** Of every message over HTTP. */
export const OVER_HTTP: Network = { transport: 'tcp', protocol: 'http' };
