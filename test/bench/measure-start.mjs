/** Milliseconds from spawning a process to its first answers, in interleaved rounds. */
import { compileServer } from './compile-server.mjs';
import { sdkTools, sigilTools } from './many-tools.mjs';
import { median } from './median.mjs';
import { StdioProcess, initializeLine, listLine } from './stdio-process.mjs';

export async function measureStart({ rounds, few, many }) {
  const contestants = [few, many].flatMap((tools) => [
    {
      name: 'Sigil',
      tools,
      command: [compileServer(`sigil-${tools}`, sigilTools(tools))],
      initialized: [],
      listed: [],
    },
    {
      name: 'official SDK 1',
      tools,
      command: [compileServer(`sdk-${tools}`, sdkTools(tools))],
      initialized: [],
      listed: [],
    },
  ]);
  for (let round = 0; round < rounds; round += 1) {
    for (const contestant of contestants) await play(contestant);
  }
  return contestants.map(({ name, tools, initialized, listed }) => ({
    name,
    tools,
    initialized: median(initialized),
    listed: median(listed),
  }));
}

async function play({ tools, command, initialized, listed }) {
  const started = performance.now();
  const process = new StdioProcess(command);
  await process.ask(initializeLine);
  initialized.push(performance.now() - started);
  const { result } = JSON.parse(await process.ask(listLine));
  listed.push(performance.now() - started);
  if (result.tools.length !== tools) throw new Error(`${command.join(' ')} listed ${result.tools.length} tools`);
  await process.end();
}
