/** The behaviour of HTTP that does not depend on Fastify, served by the fetch adapter. */
import { describeSpecs } from './adapter-specs';
import { useAdapter } from './http-server';

useAdapter('fetch');
describeSpecs('the fetch adapter');
