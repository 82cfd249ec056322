/** The fetch adapter: the port, and by turns all behaviour of HTTP that does not depend on Fastify. */
import { describeSpecs } from './adapter-specs';
import { useAdapter } from './http-server';
import { describePort } from './port-specs';

useAdapter('fetch');
describePort('the fetch adapter');
describeSpecs('fetch');
