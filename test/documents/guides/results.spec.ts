/** What `docs/how-to/results.md` says and shows. */
import { audio, createServer, Feature, image, resourceLink, text, Tool, toolResult, embedded } from '@sigil-mcp/core';
import type { ContentBlock } from '@sigil-mcp/core';
import type { ToolResult } from '@sigil-mcp/core';
import { eachRevision, matchers } from '@sigil-mcp/testing';
import { IsNumber, IsString } from 'class-validator';

expect.extend(matchers);

const png = Buffer.from('89504e470d0a1a0a', 'hex');
const wav = Buffer.from('RIFF');

// #region structured
class Reading {
  @IsString() station!: string;
  @IsNumber() celsius!: number;
}

@Feature()
class Stations {
  @Tool('What a station measures now', { output: Reading, readOnly: true })
  measure(): Reading {
    const row = { station: 'Blindern', celsius: 4.5, operator: 'internal' };
    return row; // `operator` is not declared, and does not travel
  }
}
// #endregion structured

@Feature()
class Pictures {
  // #region text
  @Tool('Greets')
  greet(): string {
    return 'Good morning.';
  }
  // #endregion text

  // #region blocks
  @Tool('The radar of this hour')
  radar(): ContentBlock[] {
    return [
      text('Rain from the west.', { annotations: { audience: ['user'], priority: 0.9 } }),
      image(png, 'image/png'),
      audio(wav, 'audio/wav'),
      resourceLink({ uri: 'radar://oslo/archive', name: 'Older pictures' }),
      embedded({ uri: 'radar://oslo/legend', mimeType: 'text/plain', text: 'Blue is rain.' }),
    ];
  }
  // #endregion blocks

  // #region bytes
  @Tool('The radar as a file', { mimeType: 'image/png' })
  file(): Buffer {
    return png;
  }
  // #endregion bytes

  // #region parts
  @Tool('What a station measures now, with a picture', { output: Reading })
  measureWithPicture(): ToolResult {
    return toolResult({
      structured: { station: 'Blindern', celsius: 4.5 },
      content: ['4.5 °C at Blindern.', image(png, 'image/png')],
      meta: { 'example.com/took': 12 },
    });
  }
  // #endregion parts
}

@Feature()
class Careless {
  @Tool('Says too little', { output: Reading })
  measure(): Reading {
    return { station: 'Blindern' } as Reading;
  }
}

const server = createServer({ name: 'radar', version: '1.0.0', features: [Stations, Pictures], logger: false });
const careless = createServer({ name: 'careless', version: '1.0.0', features: [Careless], logger: false });

eachRevision('data of an output class is checked, and what it does not declare is left out', async ({ connect }) => {
  const client = await connect(server);
  const result = await client.callTool('measure');
  expect(result).toHaveStructured({ station: 'Blindern', celsius: 4.5 });
  expect(JSON.stringify(result)).not.toContain('operator');
});

eachRevision('data that is not what the class says never reaches a client', async ({ connect }) => {
  const client = await connect(careless);
  const result = await client.callTool('measure');
  expect(result).toBeToolError();
  expect(JSON.stringify(result)).not.toContain('Blindern');
});

eachRevision('text is text, and blocks are content in their order', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.callTool('greet')).toHaveText('Good morning.');
  const radar = await client.callTool('radar');
  expect(radar).toHaveContent('image', { mimeType: 'image/png', data: png.toString('base64') });
  expect(radar.content[0]).toMatchObject({ type: 'text', text: 'Rain from the west.' });
  expect(radar.content.at(-1)).toMatchObject({ type: 'resource', resource: { text: 'Blue is rain.' } });
});

eachRevision('a revision without a kind of content gets what comes nearest', async ({ connect, revision }) => {
  const { content } = await (await connect(server)).callTool('radar');
  expect(content.map(({ type }) => type)).toEqual(['text', 'image', ...sound(revision), ...link(revision), 'resource']);
});

const sound = (revision: string): string[] => [revision < '2025-03-26' ? 'text' : 'audio'];
const link = (revision: string): string[] => [revision < '2025-06-18' ? 'text' : 'resource_link'];

eachRevision('bytes are what the tool says they are', async ({ connect }) => {
  const client = await connect(server);
  expect(await client.callTool('file')).toHaveContent('image', { mimeType: 'image/png' });
});

eachRevision('a result may be said part by part', async ({ connect }) => {
  const client = await connect(server);
  const result = await client.callTool('measureWithPicture');
  expect(result).toHaveContent('text', { text: '4.5 °C at Blindern.' });
  expect(result).toHaveContent('image');
  expect(result._meta).toMatchObject({ 'example.com/took': 12 });
});
