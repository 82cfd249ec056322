/** The browser that a machine has, for tests of what people see. */
import { join } from 'node:path';
import type * as Playwright from 'playwright-core';

interface Finder {
  findChromium(): string | undefined;
  openChromium(): Promise<Playwright.Browser>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- a script without types, which the build of the site uses too
const finder = require(join(__dirname, '..', '..', '..', 'scripts', 'find-chromium.cjs')) as Finder;

/** Whether there is one. */
export function hasChromium(): boolean {
  return finder.findChromium() !== undefined;
}

/** A browser without windows, which the caller closes: the one that all specs of a run share, with contexts of its own. */
export async function openChromium(): Promise<Playwright.Browser> {
  const { SIGIL_BROWSER: asked } = process.env;
  if (asked === undefined) return finder.openChromium();
  const answer = await fetch(asked);
  const address = await answer.text();
  if (!answer.ok) throw new Error(`No browser was started: ${address}`);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- specs that only ask whether there is a browser need no library
  const { chromium } = require('playwright-core') as typeof Playwright;
  return chromium.connect(address);
}
