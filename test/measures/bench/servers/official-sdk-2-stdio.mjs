/** The official SDK 2 over stdio. */
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { officialServers } from './official-sdk-2.mjs';
import { readOrder } from './order.mjs';

serveStdio(officialServers(readOrder().tools));
