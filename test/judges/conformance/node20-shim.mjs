/**
 * Lets the official conformance suite start on Node 20 (`node --import`). Its bundle imports `globSync` of `fs`, which
 * came with Node 22, for a command that we do not use; without it the module does not even link.
 */
import { register } from 'node:module';

register('./node20-hooks.mjs', import.meta.url);
