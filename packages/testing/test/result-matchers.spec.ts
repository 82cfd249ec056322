/** The matchers on results and errors: what passes, and every sentence that a failure can say. */
import { RpcError, connect, eachRevision, matchers, type TestClient } from '@sigil-mcp/testing';
import { failure } from './failure';
import { harbour } from './harbour';

expect.extend(matchers);

const said = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text', text })), isError: false });
const failed = (text: string) => ({ ...said(text), isError: true });

describe('over every revision', () => {
  eachRevision('results are as they should be', async ({ connect }) => {
    const client = await connect(harbour());
    expect(await client.callTool('lift')).toHaveText('lifted');
    expect(await client.callTool('tide')).toHaveStructured({ height: 3, ships: ['Ada', /^B/] });
    expect(await client.callTool('ships')).toHaveStructured(['Ada', 'Bea']);
    expect(await client.callTool('sink')).toBeToolError('sunk');
    expect(await client.callTool('picture')).toHaveContent('image', { mimeType: 'image/png' });
    expect(await client.readResource('harbour://ships/Ada')).toHaveText('The ship Ada');
    expect(await client.getPrompt('trip', { name: 'Ada' })).toHaveMessages('Plan a trip on the Ada.', {
      assistant: 'Aye.',
    });
    await expect(client.callTool('swim')).rejects.toBeRpcError(-32602, 'Unknown tool: swim');
  });
});

describe('toHaveInvalidArguments', () => {
  eachRevision('passes for refused arguments alone', async ({ connect, revision }) => {
    const client = await connect(harbour(), { as: { id: 'ada', scopes: ['dock'] } });
    expect(client.revision).toBe(revision);
    const call = client.callTool('dock', { name: 7 });
    await expect(call).toHaveInvalidArguments();
    await expect(call).toHaveInvalidArguments('name: must be a string');
    await expect(call).toHaveInvalidArguments(/^Invalid arguments: name/);
    await expect(call).not.toHaveInvalidArguments('captain');
    await expect(client.callTool('dock', { name: 'Ada' })).not.toHaveInvalidArguments();
    await expect(client.callTool('sink')).not.toHaveInvalidArguments();
    await expect(client.callTool('swim')).not.toHaveInvalidArguments();
    await expect(client.getPrompt('trip', {})).toHaveInvalidArguments('name');
  });

  it('says what came of the call', async () => {
    const wanted = 'Expected the server to refuse the arguments';
    const refusal = failed('Invalid arguments: name: must be a string');
    expect(await failure(() => expect(said('dug')).toHaveInvalidArguments())).toBe(
      `${wanted},\nbut the result is { content: [{ type: "text", text: "dug" }], isError: false }.`,
    );
    expect(await failure(() => expect(refusal).toHaveInvalidArguments('captain'))).toBe(
      `${wanted} with a message to contain "captain",\nbut it said "Invalid arguments: name: must be a string".`,
    );
    expect(await failure(() => expect(refusal).not.toHaveInvalidArguments(/name/))).toBe(
      'Expected the server not to refuse the arguments with a message to match /name/,\n' +
        'but it said "Invalid arguments: name: must be a string".',
    );
    const unknown = Promise.reject(new RpcError({ code: -32602, message: 'Unknown tool: swim' }));
    expect(await failure(() => expect(unknown).toHaveInvalidArguments())).toBe(
      `${wanted},\nbut the call failed with "Unknown tool: swim".`,
    );
  });
});

describe('toHaveText', () => {
  it('passes for the whole text, an expression, or a part that expect knows', () => {
    const result = said('one', 'two');
    expect(result).toHaveText('one\ntwo');
    expect(result).toHaveText(/^two$/m);
    expect(result).toHaveText(expect.stringContaining('ne'));
    expect(result).not.toHaveText('one');
    expect(result).not.toHaveText(/three/g);
    expect({ content: [{ type: 'image', data: '' }] }).toHaveText('');
  });

  it('leaves an expression as it was', () => {
    const everywhere = /o/g;
    for (let time = 0; time < 3; time += 1) expect(said('o')).toHaveText(everywhere);
  });

  it('says what the text is', async () => {
    expect(await failure(() => expect(said('Hullo')).toHaveText('Hello'))).toBe(
      'Expected the text to be "Hello",\nbut it is "Hullo".',
    );
    expect(await failure(() => expect(failed('Hullo')).toHaveText(/^Hello/))).toBe(
      'Expected the text to match /^Hello/,\nbut it is "Hullo".\nThe result is an error of the tool (isError).',
    );
    expect(await failure(() => expect(said('Hullo')).toHaveText(expect.stringContaining('x')))).toBe(
      'Expected the text to be StringContaining "x",\nbut it is "Hullo".',
    );
    expect(await failure(() => expect(said('Hullo')).not.toHaveText('Hullo'))).toBe(
      'Expected the text not to be "Hullo",\nbut it is "Hullo".',
    );
    const long = await failure(() => expect(said('x'.repeat(5000))).toHaveText(''));
    expect(long.length).toBeLessThan(1200);
    expect(long).toContain('x…x');
  });

  it('says what it was given instead of a result', async () => {
    const pending = Promise.resolve(said('x'));
    const fix = 'Await the call: expect(await client.callTool(…)).toHaveText(…).';
    const given = (received: unknown) => failure(() => expect(received).not.toHaveText('x'));
    expect(await given(pending)).toBe(`toHaveText() expects the result of a call, but received a promise. ${fix}`);
    const looks = 'toHaveText() expects the result of a call';
    expect(await given('x')).toBe(`${looks}, but received "x". ${fix}`);
    expect(await given(undefined)).toBe(`${looks}, but received undefined. ${fix}`);
    expect(await given({ tools: [] })).toBe(`${looks}, but received { tools: [] }. ${fix}`);
    const asking = { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create' } } };
    expect(await given(asking)).toBe(
      'toHaveText() expects the result of a call, but the call asks a question first (elicitation/create). Pass `answers` to connect().',
    );
  });
});

describe('toHaveStructured', () => {
  const tide = { ...said(''), structuredContent: { height: 3, at: { harbour: 'Bergen' }, ships: [{ name: 'Ada' }] } };

  it('passes for a part of it, also one that is the JSON of the text, or wrapped', () => {
    expect(tide).toHaveStructured({ at: { harbour: 'Bergen' }, ships: [{}] });
    expect(tide).toHaveStructured({ height: expect.any(Number), at: { harbour: /^B/ } });
    expect(tide).not.toHaveStructured({ height: 4 });
    expect(said('{"height":3}')).toHaveStructured({ height: 3 });
    expect(said('plain')).not.toHaveStructured({});
    expect({ ...said(''), structuredContent: { result: [1, 2] } }).toHaveStructured([1, 2]);
    expect({ ...said(''), structuredContent: { result: 7 } }).toHaveStructured({ result: 7 });
    expect({ ...said(''), structuredContent: { result: { a: 1 } } }).toHaveStructured({ a: 1 });
  });

  it('says where it differs', async () => {
    const wrong = { height: 4, at: { harbour: /^O/, depth: 9 }, ships: [{ name: 'Bea' }] };
    expect(await failure(() => expect(tide).toHaveStructured(wrong))).toBe(
      [
        'The structured content is not as expected:',
        '  height: expected 4, there is 3',
        '  at.harbour: expected /^O/, there is "Bergen"',
        '  at.depth: expected 9, there is nothing',
        '  ships[0].name: expected "Bea", there is "Ada"',
      ].join('\n'),
    );
    expect(await failure(() => expect(tide).toHaveStructured({ ships: [] }))).toContain(
      '  ships: expected 0 elements, there are 1: [{ name: "Ada" }]',
    );
    expect(await failure(() => expect(said('[1]')).toHaveStructured([1, 2]))).toContain(
      '  the list: expected 2 elements',
    );
    expect(await failure(() => expect(said('7')).toHaveStructured({ a: 1 }))).toContain(
      '  the whole: expected { a: 1 }, there is 7',
    );
    const wrapped = { ...said(''), structuredContent: { result: 7 } };
    expect(await failure(() => expect(wrapped).toHaveStructured({ result: 8 }))).toContain(
      '  result: expected 8, there is 7',
    );
    expect(await failure(() => expect(tide).not.toHaveStructured({ height: 3 }))).toBe(
      'Expected the structured content not to have { height: 3 },\nbut it is { height: 3, at: { harbour: "Bergen" }, ships: [{ name: "Ada" }] }.',
    );
  });

  it('says that there is none', async () => {
    expect(await failure(() => expect(failed('No.')).toHaveStructured({}))).toBe(
      'Expected structured content, but there is none, and the text is no JSON: "No.".\nThe result is an error of the tool (isError).',
    );
  });
});

describe('toBeToolError', () => {
  it('passes for errors, with any text or with this in it', () => {
    expect(failed('The ship has sunk.')).toBeToolError();
    expect(failed('The ship has sunk.')).toBeToolError('sunk');
    expect(failed('The ship has sunk.')).toBeToolError(/^The/);
    expect(failed('The ship has sunk.')).not.toBeToolError('swum');
    expect(said('fine')).not.toBeToolError();
    expect(said('fine')).not.toBeToolError('fine');
  });

  it('says what it is', async () => {
    expect(await failure(() => expect(said('fine')).toBeToolError())).toBe(
      'Expected an error of the tool, but the call succeeded: "fine".',
    );
    expect(await failure(() => expect(said('fine')).toBeToolError('sunk'))).toBe(
      'Expected an error of the tool, its text to contain "sunk", but the call succeeded: "fine".',
    );
    expect(await failure(() => expect(failed('sunk')).toBeToolError(/swum/))).toBe(
      'Expected the error of the tool to match /swum/,\nbut it says "sunk".',
    );
    expect(await failure(() => expect(failed('sunk')).not.toBeToolError())).toBe(
      'Expected no error of the tool, but there is one: "sunk".',
    );
    expect(await failure(() => expect(failed('sunk')).not.toBeToolError('su'))).toBe(
      'Expected the error of the tool not to contain "su",\nbut it says "sunk".',
    );
  });
});

describe('toHaveContent', () => {
  const image = { type: 'image', mimeType: 'image/png', data: 'cG5n' };
  const mixed = { content: [{ type: 'text', text: 'The harbour' }, image] };

  it('passes for a block of the type, in a result or a message', () => {
    expect(mixed).toHaveContent('image');
    expect(mixed).toHaveContent('image', { mimeType: /png/ });
    expect(mixed).not.toHaveContent('audio');
    expect({ messages: [{ role: 'user', content: image }] }).toHaveContent('image');
  });

  it('says what there is', async () => {
    expect(await failure(() => expect(mixed).toHaveContent('audio', { data: 'x' }))).toBe(
      'Expected a block of type "audio" with { data: "x" }.\nThere are:\n  text "The harbour"\n  image, { mimeType: "image/png" }, 4 characters of base64',
    );
    expect(await failure(() => expect(mixed).toHaveContent('image', { mimeType: 'image/gif' }))).toBe(
      'There is one block of type "image", but not as expected:\n  mimeType: expected "image/gif", there is "image/png"',
    );
    expect(await failure(() => expect({ content: [] }).toHaveContent('image'))).toBe(
      'Expected a block of type "image".\nThere is no content.',
    );
    expect(await failure(() => expect(mixed).not.toHaveContent('text'))).toBe(
      'Expected no block of type "text",\nbut there is text "The harbour".',
    );
  });
});

describe('toHaveMessages', () => {
  const plan = {
    messages: [
      { role: 'user', content: { type: 'text', text: 'Plan a trip.' } },
      { role: 'assistant', content: { type: 'image', data: 'cG5n' } },
    ],
  };

  it('passes for texts, and for who says what', () => {
    expect(plan).toHaveMessages('Plan a trip.', { assistant: { type: 'image' } });
    expect(plan).toHaveMessages(/trip/, { type: 'image' } as never);
    expect(plan).toHaveMessages({ user: expect.stringContaining('trip') }, { assistant: {} });
    expect(plan).not.toHaveMessages({ assistant: /trip/ }, { assistant: {} });
    expect(plan).not.toHaveMessages('Plan a trip.');
    expect({ messages: [] }).toHaveMessages();
  });

  it('says which message differs', async () => {
    const there = 'There are:\n  1. user: text "Plan a trip."\n  2. assistant: image, 4 characters of base64';
    expect(await failure(() => expect(plan).toHaveMessages({ user: /cat/ }, { assistant: {} }))).toBe(
      `Expected message 1 to be of the user: /cat/.\n${there}`,
    );
    expect(await failure(() => expect(plan).toHaveMessages(/trip/, 'Aye.'))).toBe(
      `Expected message 2 to be "Aye.".\n${there}`,
    );
    expect(await failure(() => expect(plan).toHaveMessages(/trip/))).toBe(
      `Expected 1 message, there are 2:\n${there.slice('There are:\n'.length)}`,
    );
    expect(await failure(() => expect({ messages: [] }).toHaveMessages('a', 'b'))).toBe(
      'Expected 2 messages, there are no messages.',
    );
    expect(await failure(() => expect(plan).not.toHaveMessages(/trip/, { assistant: {} }))).toBe(
      `Expected other messages than these:\n${there.slice('There are:\n'.length)}`,
    );
    expect(await failure(() => expect(said('x')).toHaveMessages())).toContain(
      'Await the call: expect(await client.getPrompt(…)).toHaveMessages(…).',
    );
  });
});

describe('toBeRpcError', () => {
  let client: TestClient;
  beforeAll(async () => void (client = await connect(harbour())));
  afterAll(() => client.close());
  const error = new RpcError({ code: -32602, message: 'Unknown tool: swim' });

  it('passes for an error response, of any code or of this', async () => {
    await expect(client.callTool('swim')).rejects.toBeRpcError();
    await expect(client.callTool('swim')).rejects.toBeRpcError(-32602, /swim$/);
    await expect(client.callTool('swim')).rejects.not.toBeRpcError(-32601);
    expect(error).toBeRpcError(undefined, 'Unknown');
    expect(error).not.toBeRpcError(-32602, 'Known');
    expect(new Error('Unknown')).not.toBeRpcError();
  });

  it('says what it is', async () => {
    const there = '-32602 (invalid-params): "Unknown tool: swim".';
    expect(await failure(() => expect(error).toBeRpcError(-32601))).toBe(
      `Expected an error response of the server with the code -32601 (method-not-found),\nbut it is ${there}`,
    );
    expect(await failure(() => expect(error).toBeRpcError(7, /x/))).toBe(
      `Expected an error response of the server with the code 7 and a message to match /x/,\nbut it is ${there}`,
    );
    expect(await failure(() => expect(error).not.toBeRpcError())).toBe(
      `Expected no error response of the server,\nbut there is ${there}`,
    );
    expect(await failure(() => expect(error).not.toBeRpcError(-32602, 'swim'))).toBe(
      `Expected no error response of the server with the code -32602 (invalid-params) and a message to contain "swim",\nbut there is ${there}`,
    );
  });

  it('says what it was given instead of an error response', async () => {
    expect(await failure(() => expect(new TypeError('Oh.')).toBeRpcError(7))).toBe(
      'Expected an error response of the server with the code 7, but got TypeError: Oh.',
    );
    expect(await failure(() => expect(failed('x')).toBeRpcError())).toContain(
      'Errors of tools are results: see toBeToolError().',
    );
    const pending = Promise.resolve();
    expect(await failure(() => expect(pending).toBeRpcError())).toBe(
      'Expected an error response of the server, but got a promise. Write: await expect(client.callTool(…)).rejects.toBeRpcError(…).',
    );
  });
});
