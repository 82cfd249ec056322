/** What the script in a page runs: it makes the bridge a global name, because pages without a build import nothing. */
import { connectView } from './connect-view';

Object.assign(globalThis, { connectView });
