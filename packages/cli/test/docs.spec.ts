/** `sigil explain` and `sigil docs`: errors, pages and search, in a terminal and for programs. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from '@sigil-mcp/core';
import { errorPage } from '@sigil-mcp/core/internal';
import { documentation } from '../src/docs/pages';
import { searchPages } from '../src/docs/search-pages';
import { runCaptured } from '../../../test/support/captured-cli';

describe('sigil explain', () => {
  it.each([
    ['a code', ['SIGIL_TOOL_NAME']],
    ['a code in small letters, without its beginning', ['tool_name']],
    ['a whole message', ['Library.find: "a b" is not a valid tool name. [SIGIL_TOOL_NAME]']],
    ['the words of a message', ['it', 'failed', '[SIGIL_TOOL_NAME]']],
  ])('shows the page of the error for %s', async (_what, words) => {
    const { status, stdout } = await runCaptured('explain', ...words);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^# SIGIL_TOOL_NAME\n[^]*## How to fix it\n[^]*find a book/);
    expect(stdout).toContain(errorPage('SIGIL_TOOL_NAME'));
  });

  it('has a page for every code of the catalogue, at the address that messages print', () => {
    const { site, pages } = documentation();
    const addresses = new Set(pages.map(({ path }) => `${site}${path}`));
    const folder = join(__dirname, '..', '..', '..', 'docs', 'errors');
    const kinds = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const codes = [...kinds.join('\n').matchAll(/^## (SIGIL_\w+)$/gm)].map(([, code = '']) => code);
    expect(codes.length).toBeGreaterThan(300);
    expect(codes.filter((code) => !addresses.has(errorPage(code) ?? ''))).toEqual([]);
  });

  it('suggests the nearest code for one that does not exist, and ends with 2', async () => {
    const { status, stderr } = await runCaptured('explain', 'SIGIL_TOOL_NAMES');
    expect(status).toBe(2);
    expect(stderr).toContain('Did you mean SIGIL_TOOL_NAME?');
  });

  it('is JSON for programs', async () => {
    const { stdout } = await runCaptured('explain', 'SIGIL_SCOPE', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ code: 'SIGIL_SCOPE', address: errorPage('SIGIL_SCOPE') });
  });
});

it('is named below each error of the command line, with the address of its page', () => {
  const command = join(__dirname, '..', 'dist', 'main.js');
  const { stderr } = spawnSync(process.execPath, [command, 'explain', 'nothing'], { encoding: 'utf8' });
  expect(stderr).toMatch(/\[SIGIL_CLI_NO_CODE\]\n.*\n/);
  expect(stderr.endsWith(`\n${errorPage('SIGIL_CLI_NO_CODE')}\n`)).toBe(true);
});

it('is named by errors that are thrown, below their stack traces and definition errors', () => {
  const define = (): unknown => createServer({ name: '', version: '1.0.0', features: [] });
  expect(define).toThrow(
    /Explained at https:\/\/\S+\/e\/SIGIL_\w+$|Each code is explained at https:\/\/\S+\/e\/<code>$/,
  );
});

describe('sigil docs', () => {
  it.each([
    ['docker', 'how-to/deploy'],
    ['middleware', 'how-to/guards-and-interceptors'],
    ['how do I test my server', 'testing'],
    ['SIGIL_TOOL_NAME', 'e/SIGIL_TOOL_NAME'],
    ['dependency injection', 'providers'],
  ])('finds "%s" on the page %s', (question, page) => {
    expect(searchPages(question, 3).map((found) => found.page)).toContain(page);
  });

  it('shows what it found with path and address', async () => {
    const { status, stdout } = await runCaptured('docs', 'docker');
    expect(status).toBe(0);
    expect(stdout).toMatch(/how-to\/deploy\n {2}\S.*\n {2}https:\/\/\S+\/how-to\/deploy/);
  });

  it('reads a page by its path', async () => {
    const { stdout } = await runCaptured('docs', 'quick-start');
    expect(stdout).toMatch(/^# Quick start\n/);
  });

  it('says so where nothing is found, with the address of the site', async () => {
    const { status, stderr } = await runCaptured('docs', 'xyzzyplugh');
    expect(status).toBe(2);
    expect(stderr).toContain(documentation().site);
  });

  it('keeps comments of the sources and settings of pages to itself', () => {
    const marked = documentation().pages.filter(({ text }) =>
      /^(---|<!--)/m.test(text.replace(/^```[\s\S]*?^```/gm, '')),
    );
    expect(marked.map(({ path }) => path)).toEqual([]);
  });
});
