/** The behaviour of HTTP that does not depend on Fastify, served by the adapter for Node's own HTTP server. */
import { describeSpecs } from './adapter-specs';
import { useAdapter } from './http-server';

useAdapter('node');
describeSpecs('the adapter for Node');
