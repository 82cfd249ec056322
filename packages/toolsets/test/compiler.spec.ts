/** The compiler of scripts checks one after the other, in turns of clients. */
import { ScriptCompiler } from '../src/code/compiler';
import { findTypeScript } from '../src/code/thread-files';

it('checks the scripts of clients in turns, those of each in their order', async () => {
  const compiler = new ScriptCompiler(findTypeScript()?.path ?? '', 60_000);
  const checked: string[] = [];
  const check = (client: string, script: number): Promise<void> =>
    compiler
      .check({ code: 'return 1', api: '' }, client, new AbortController().signal)
      .then(() => void checked.push(`${client} ${script}`));
  const flood = [1, 2, 3, 4, 5].map((script) => check('eve', script));
  await Promise.all([...flood, check('ada', 1), check('ada', 2), check('bob', 1)]);
  // The first was being checked when the others came.
  expect(checked).toEqual(['eve 1', 'eve 2', 'ada 1', 'bob 1', 'eve 3', 'ada 2', 'eve 4', 'eve 5']);
  await compiler.close();
});

it('leaves out a script whose call was cancelled', async () => {
  const compiler = new ScriptCompiler(findTypeScript()?.path ?? '', 60_000);
  const stop = new AbortController();
  const script = { code: 'return 1', api: '' };
  const first = compiler.check(script, 'eve', new AbortController().signal);
  const second = compiler.check(script, 'eve', stop.signal);
  const third = compiler.check(script, 'ada', new AbortController().signal);
  stop.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  expect(await Promise.all([first, third])).toEqual([expect.any(Object), expect.any(Object)]);
  await compiler.close();
});
