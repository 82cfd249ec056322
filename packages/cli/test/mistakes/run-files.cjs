/**
 * Runs compiled files one after the other, in one process: each ends with an error, which the module before it reports on stderr. A line with
 * its path is above what is said of a file.
 */
const { writeSync } = require('node:fs');
const { setImmediate } = require('node:timers');
const { pathToFileURL } = require('node:url');

const files = process.argv.slice(2);

function next() {
  const file = files.shift();
  if (file === undefined) process.exit();
  writeSync(2, `\n--- ${file}\n`);
  if (file.endsWith('.mjs')) void import(pathToFileURL(file).href);
  else require(file);
}

process.on('uncaughtException', () => setImmediate(next));
setImmediate(next);
