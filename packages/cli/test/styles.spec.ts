/** Whether what is printed has colours. */
import { WriteStream } from 'node:tty';
import { withOwnSequences } from '../src/terminal/own-sequences';
import { stylesFor, wantsColors } from '../src/terminal/styles';

it.each([
  ['a terminal', { isTTY: true }, {}, true],
  ['a terminal where NO_COLOR is set', { isTTY: true }, { NO_COLOR: '1' }, false],
  ['a terminal where NO_COLOR is empty', { isTTY: true }, { NO_COLOR: '' }, true],
  ['a terminal where FORCE_COLOR is 0', { isTTY: true }, { FORCE_COLOR: '0' }, false],
  ['a terminal where both are set', { isTTY: true }, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
  ['a dumb terminal', { isTTY: true }, { TERM: 'dumb' }, false],
  ['a dumb terminal where FORCE_COLOR is set', { isTTY: true }, { TERM: 'dumb', FORCE_COLOR: '1' }, true],
  ['a pipe', {}, {}, false],
  ['a pipe where FORCE_COLOR is set', {}, { FORCE_COLOR: '1' }, true],
  ['a pipe where FORCE_COLOR is 0', {}, { FORCE_COLOR: '0' }, false],
])('decides about colours on %s', (_, stream, env, colored) => {
  expect(withOwnSequences(stylesFor(stream, env).bold('x'))).toBe(colored ? '\u001b[1mx\u001b[22m' : 'x');
});

it.each([undefined, '', '0', '1', '2', '3', '4', 'true', 'false', 'yes'])(
  'decides as the terminals of Node do where FORCE_COLOR is %j',
  (forced) => {
    for (const other of [{}, { NODE_DISABLE_COLORS: '1' }, { TERM: 'dumb' }]) {
      const env = { TERM: 'xterm', ...other, ...(forced !== undefined && { FORCE_COLOR: forced }) };
      // It asks nothing of the terminal itself; and it warns where a variable has no effect.
      const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
      const depth = WriteStream.prototype.getColorDepth(env);
      warned.mockRestore();
      expect([env, wantsColors({ isTTY: true }, env)]).toEqual([env, depth > 1]);
    }
  },
);
