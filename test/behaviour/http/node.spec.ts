/** The adapter for Node's own HTTP server: the port, and by turns all behaviour of HTTP that does not depend on Fastify. */
import { describeSpecs } from './adapter-specs';
import { useAdapter } from './http-server';
import { describePort } from './port-specs';

useAdapter('node');
describePort('the adapter for Node');
describeSpecs('node');
