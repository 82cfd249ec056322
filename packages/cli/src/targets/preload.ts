/** The module that is loaded before a program, and waits until the program has run. */
import { findMainModule, serveExported } from './serve-exported';

// `require.main` was set when this was loaded, before there was a main module.
setImmediate(() => {
  const main = findMainModule(process.mainModule, process.argv[1]);
  main.then(serveExported).catch((error: unknown) => {
    // Uncaught, it is reported to the command, which shows its position.
    setImmediate(() => {
      throw error;
    });
  });
});
