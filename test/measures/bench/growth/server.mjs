/** A server of its own process, with tools that take and give much. `node server.mjs` prints its port. */
import { reportMemory } from '../http/report-memory.mjs';
import { SIZES } from './charts.mjs';
import { loadServers } from './load-servers.mjs';

reportMemory(await loadServers().serveSizes(SIZES));
