/** Loaded before the Sigil entry: Node's `fetch` uses an agent of undici, with the options that FINDINGS.md of their Node entry tried. */
import { Agent, setGlobalDispatcher } from 'undici';

setGlobalDispatcher(new Agent({ connections: 100, keepAliveTimeout: 90_000, keepAliveMaxTimeout: 90_000 }));
