/** The module that is loaded before a program: it waits until the program has said what it does. */
import { serveExported } from './serve-exported';

// `require.main` was settled when this was loaded, before there was a main module.
setImmediate(() => serveExported(process.mainModule));
