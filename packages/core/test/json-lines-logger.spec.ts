/** The server's own log: one JSON object a line, whatever it is given. */
import { sigilError } from '../src/errors/catalogue';
import { JsonLinesLogger, SilentLogger } from '@sigil-mcp/core';
import { boundedLines } from '../src/logging/lines-logger';
import { Expose } from 'class-transformer';
import { PassThrough } from 'node:stream';

function lines(threshold?: 'debug' | 'warn'): {
  log: JsonLinesLogger;
  entries: () => Record<string, unknown>[];
  raw: string[];
} {
  const raw: string[] = [];
  const log = new JsonLinesLogger(threshold, (line) => void raw.push(line));
  return { log, raw, entries: () => raw.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('the default logger', () => {
  it('writes time, level, message and fields, from its threshold on', () => {
    const { log, entries } = lines('warn');
    log.debug({}, 'd');
    log.info({}, 'i');
    log.warn({ disk: 3 }, 'w');
    log.error({}, 'e');
    expect(entries()).toMatchObject([
      { level: 'warn', message: 'w', disk: 3, time: expect.stringMatching(/^\d{4}-.*Z$/) },
      { level: 'error' },
    ]);
  });

  it('writes errors with their stack and their causes', () => {
    const { log, entries } = lines();
    log.error({ error: new Error('outer', { cause: new TypeError('inner') }) }, 'failed');
    expect(entries()[0]).toMatchObject({
      error: {
        name: 'Error',
        message: 'outer',
        stack: expect.any(String),
        cause: { name: 'TypeError', message: 'inner' },
      },
    });
  });

  it('writes the code of an error, and all errors of several', () => {
    const { log, entries } = lines();
    const failures = new AggregateError([new Error('first'), new Error('second')]);
    log.error({ error: sigilError('SIGIL_STOP_HOOKS', { count: 2 }, { cause: failures }) }, 'failed');
    expect(entries()[0]).toMatchObject({
      error: {
        name: 'SigilError',
        code: 'SIGIL_STOP_HOOKS',
        message: 'onStop hooks failed (2). Fix the errors in `cause.errors`. All other hooks were run.',
        cause: { errors: [{ message: 'first' }, { message: 'second' }] },
      },
    });
  });

  it('writes nothing of an error that may hold a secret: what programs know and what its class declares', () => {
    const { log, raw, entries } = lines();
    class Declined extends Error {
      @Expose() readonly order = 7;
      readonly card = 'secret';
    }
    const ofHttp = Object.assign(new Error('Request failed with status code 500'), {
      ...{ code: 'ERR_BAD_RESPONSE', status: 500, isAxiosError: true, data: 'secret' },
      config: { headers: { Authorization: 'Bearer secret' }, auth: { password: 'secret' }, data: 'secret' },
      response: { headers: { 'set-cookie': ['secret'] } },
    });
    const ofRedis = Object.assign(new Error('WRONGPASS'), {
      command: { name: 'auth', args: ['secret'] },
      code: { secret: 1 },
    });
    log.error(
      { err: new Error('outer', { cause: new AggregateError([ofHttp, ofRedis, new Declined('no')]) }) },
      'failed',
    );
    expect(raw.join('')).not.toMatch(/secret|Bearer/);
    expect(entries()[0]).toMatchObject({
      err: { cause: { errors: [{ code: 'ERR_BAD_RESPONSE', status: 500 }, { message: 'WRONGPASS' }, { order: 7 }] } },
    });
  });

  it('writes no more of what was thrown and is no error, such as the response of an HTTP client', () => {
    const { log, entries, raw } = lines();
    const response = { status: 500, message: 'Broken', config: { headers: { Authorization: 'Bearer secret' } } };
    log.error({ err: response }, 'thrown');
    log.error({ err: new Error('outer', { cause: response }) }, 'as a cause');
    log.error({ err: { config: 'secret', request: 'secret' } }, 'nothing that is known');
    log.error({ err: 'a text' }, 'a text');
    expect(raw.join()).not.toContain('secret');
    const written = { status: 500, message: 'Broken' };
    expect(entries().map(({ err }) => err)).toEqual([
      written,
      expect.objectContaining({ message: 'outer', cause: written }),
      '[Object with config, request]',
      'a text',
    ]);
    // Fields of any other name are what the author says.
    log.error({ response: { config: { retries: 3 }, cause: { retries: 4 } } }, 'said');
    expect(entries().at(-1)).toMatchObject({ response: { config: { retries: 3 }, cause: { retries: 4 } } });
  });

  it('never fails and never breaks a line, whatever it is given', () => {
    const { log, raw, entries } = lines();
    const cycle: Record<string, unknown> = { line: 'one\ntwo' };
    cycle['self'] = cycle;
    log.info(cycle, 'a cycle');
    log.info({ big: 5n, text: 'one\ntwo' }, 'a big number');
    const throws = Object.defineProperty({ seen: 1 }, 'boom', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    log.info(
      {
        throws,
        toJSON: {
          toJSON: () => {
            throw new Error('never');
          },
        },
      },
      'getters',
    );
    log.info(
      { when: new Date(0), none: undefined, run: () => 1, nan: Number.NaN, list: [undefined, 1n] },
      'odd values',
    );
    let deep: object = {};
    for (let level = 0; level < 10_000; level++) deep = { deep };
    log.info({ deep }, 'deep');
    expect(raw.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(entries()).toMatchObject([
      { message: 'a cycle', line: 'one\ntwo', self: '[Circular]' },
      { big: '5', text: 'one\ntwo' },
      { throws: { seen: 1, boom: '[Throws: no]' }, toJSON: '[Throws: never]' },
      { when: '1970-01-01T00:00:00.000Z', nan: 'NaN', list: [null, '1'] },
      { message: 'deep' },
    ]);
  });

  it('the silent one writes nothing', () => {
    const log = new SilentLogger();
    expect([log.debug(), log.info(), log.warn(), log.error()]).toEqual([undefined, undefined, undefined, undefined]);
  });
});

describe('lines for a stream that nobody reads', () => {
  it('wait up to a bound; the others are left out, and counted when there is room again', () => {
    const stream = new PassThrough();
    const write = boundedLines(stream, (count) => `${count} are missing\n`);
    for (let line = 0; line < 100; line++) write(`${'x'.repeat(100_000)}\n`);
    expect(stream.writableLength + stream.readableLength).toBeLessThan(6 * 1024 * 1024);
    while (stream.read() !== null);
    write('the next\n');
    expect(String(stream.read())).toMatch(/^\d\d are missing\nthe next\n$/);
  });
});
