/** The server's own log: one JSON object a line, whatever it is given. */
import { sigilError } from '../src/errors/sigil-error';
import { JsonLinesLogger, SilentLogger } from '@sigil-mcp/core';

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
        message: 'Some onStop hooks failed (2). Mend what `cause.errors` holds; all other hooks were run.',
        cause: { errors: [{ message: 'first' }, { message: 'second' }] },
      },
    });
  });

  it('never fails and never breaks a line, whatever it is given', () => {
    const { log, raw, entries } = lines();
    const cycle: Record<string, unknown> = { line: 'one\ntwo' };
    cycle['self'] = cycle;
    log.info(cycle, 'a cycle');
    log.info({ big: 5n, text: 'one\ntwo' }, 'a big number');
    expect(raw.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(entries()).toMatchObject([{ message: 'a cycle' }, { big: '5', text: 'one\ntwo' }]);
  });

  it('the silent one writes nothing', () => {
    const log = new SilentLogger();
    expect([log.debug(), log.info(), log.warn(), log.error()]).toEqual([undefined, undefined, undefined, undefined]);
  });
});
