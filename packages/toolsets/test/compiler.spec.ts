/** The compiler of scripts checks one after the other. Whose turn it is: `test/behaviour/http/fair-queues.spec.ts`. */
import { ScriptCompiler, findTypeScript } from '../src/code/compiler';

it('leaves out a script whose call was cancelled', async () => {
  const compiler = new ScriptCompiler(findTypeScript()?.path ?? '', 60_000);
  const stop = new AbortController();
  const script = { code: 'return 1', api: '' };
  const check = (client: string, { signal } = new AbortController()): Promise<unknown> =>
    compiler.check(script, { client, signal, waitForTurn: (turn) => turn });
  const [first, second, third] = [check('eve'), check('eve', stop), check('ada')];
  stop.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  expect(await Promise.all([first, third])).toEqual([expect.any(Object), expect.any(Object)]);
  await compiler.close();
});
