/** Loaded before a program that `sigil dev --record` runs: records the calls of its servers. */
import { subscribe } from 'node:diagnostics_channel';
import type { Observer } from '@sigil-mcp/core';
import { recordCalls } from '@sigil-mcp/contract/recording';

/** The channel on which `@sigil-mcp/core` asks for observers. */
const OBSERVE = 'sigil:server:observe';
/** The environment variable with the path of the file. */
const FILE = 'sigil_recording_file';

const file = process.env[FILE];
if (file !== undefined) {
  const observer = recordCalls({ to: file });
  subscribe(OBSERVE, (message) => {
    // The framework of the project, which may be another copy than ours, gives an array.
    (message as { readonly observers: Observer[] }).observers.push(observer);
  });
}
