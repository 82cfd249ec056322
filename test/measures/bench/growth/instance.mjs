/**
 * Instances of a server that share a Redis, in one process. `node instance.mjs <url> <namespace> <count>` prints the port of the last.
 */
import { reportMemory } from '../http/report-memory.mjs';
import { loadServers } from './load-servers.mjs';

const [url, namespace, count] = process.argv.slice(2);
const { serveInstance } = loadServers();
let port = 0;
for (let served = 0; served < Number(count); served += 1) port = await serveInstance(url, namespace);
reportMemory(port);
