/** The browser that a machine has, for tests of what people see. */
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

interface Finder {
  findChromium(): string | undefined;
  openChromium(): Promise<Browser>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a script without types, which the build of the site uses too
const finder = require(join(__dirname, '..', '..', '..', 'scripts', 'find-chromium.cjs')) as Finder;

/** Whether there is one. */
export function hasChromium(): boolean {
  return finder.findChromium() !== undefined;
}

/** A browser without windows, which the caller closes. */
export function openChromium(): Promise<Browser> {
  return finder.openChromium();
}
