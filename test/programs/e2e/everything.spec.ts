/** The contract of the official conformance suite, as far as it is built, with the official clients over every transport. */
import { isRunning } from './built-app';
import { judges, sseJudge } from './judges';
import type { OfficialClient } from './official-client';

const toolNames = [
  'test_simple_text',
  'test_image_content',
  'test_audio_content',
  'test_embedded_resource',
  'test_multiple_content_types',
  'test_error_handling',
  'test_tool_with_progress',
  'test_tool_with_logging',
  'test_logging_tool',
  'test_sampling',
  'test_elicitation',
  'test_elicitation_sep1034_defaults',
  'test_elicitation_sep1330_enums',
  'test_input_required_result_elicitation',
  'test_input_required_result_sampling',
  'test_input_required_result_list_roots',
  'test_input_required_result_request_state',
  'test_input_required_result_multiple_inputs',
  'test_input_required_result_multi_round',
  'test_input_required_result_tampered_state',
  'test_input_required_result_capabilities',
  'test_missing_capability',
  'test_streaming_elicitation',
  'test_reconnection',
  'test_x_mcp_header',
  'test_trigger_tool_change',
  'test_trigger_prompt_change',
  'greet',
  'slow_compute',
  'failing_job',
  'protocol_error_job',
  'confirm_delete',
  'multi_input',
  'test_tool_with_task',
  'json_schema_2020_12_tool',
];

describe.each([...judges, sseJudge])(
  'the everything server, driven by $title',
  ({ open, revision, handshake, notFound }) => {
    let client: OfficialClient;

    beforeAll(async () => {
      client = await open('everything');
    });
    afterAll(async () => {
      await client.close();
      expect(isRunning(client.pid)).toBe(false);
    });

    it('negotiates the revision that the client asks for', () => {
      expect(client.revision).toBe(revision);
    });

    it('lists every tool of the contract, in the same order each time [TOOL-004, TOOL-007, TOOL-024]', async () => {
      const lists = [await client.listTools(), await client.listTools(), await client.listTools()];
      for (const { tools } of lists) expect(tools.map(({ name }) => name)).toEqual(toolNames);
      expect(lists[0]?.tools[0]?.inputSchema).toEqual({ type: 'object', additionalProperties: false });
    });

    it('lists a raw JSON Schema as its author wrote it [BASE-038, BASE-040]', async () => {
      const { tools } = await client.listTools();
      expect(tools.at(-1)?.inputSchema).toEqual({
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        $defs: {
          address: {
            $anchor: 'addressDef',
            type: 'object',
            properties: { street: { type: 'string' }, city: { type: 'string' } },
          },
        },
        properties: {
          name: { type: 'string' },
          address: { $ref: '#/$defs/address' },
          contactMethod: { type: 'string', enum: ['phone', 'email'] },
          phone: { type: 'string' },
          email: { type: 'string' },
        },
        allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
        if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
        then: { required: ['phone'] },
        else: { required: ['email'] },
        additionalProperties: false,
      });
    });

    it('validates the arguments of a raw JSON Schema [TOOL-025]', async () => {
      const contact = { name: 'Ada', contactMethod: 'phone', phone: '1', address: { city: 'London' } };
      expect(await client.callTool('json_schema_2020_12_tool', contact)).toMatchObject({ isError: false });
      const wrong = [{ ...contact, contactMethod: 'email' }, { name: 'Ada' }, { ...contact, address: { city: 1 } }];
      for (const args of wrong)
        expect(await client.callTool('json_schema_2020_12_tool', args)).toMatchObject({ isError: true });
    });

    it('returns text, also to a call without arguments [TOOL-014]', async () => {
      expect(await client.callTool('test_simple_text')).toMatchObject({
        content: [{ type: 'text', text: 'This is a simple text response for testing.' }],
        isError: false,
      });
    });

    it('returns pictures and sounds as base64 with their type [TOOL-017]', async () => {
      const base64 = expect.stringMatching(/^[A-Za-z0-9+/]+=*$/);
      expect(await client.callTool('test_image_content', {})).toMatchObject({
        content: [{ type: 'image', data: base64, mimeType: 'image/png' }],
      });
      expect(await client.callTool('test_audio_content', {})).toMatchObject({
        content: [{ type: 'audio', data: base64, mimeType: 'audio/wav' }],
      });
    });

    it('returns embedded resources, alone and among other content', async () => {
      expect(await client.callTool('test_embedded_resource', {})).toMatchObject({
        content: [
          {
            type: 'resource',
            resource: {
              uri: 'test://embedded-resource',
              mimeType: 'text/plain',
              text: 'This is an embedded resource content.',
            },
          },
        ],
      });
      expect(await client.callTool('test_multiple_content_types', {})).toMatchObject({
        content: [
          { type: 'text' },
          { type: 'image' },
          { type: 'resource', resource: { uri: 'test://mixed-content-resource', text: '{"test":"data","value":123}' } },
        ],
      });
    });

    it('reports a failure inside the result [TOOL-019]', async () => {
      expect(await client.callTool('test_error_handling', {})).toMatchObject({
        isError: true,
        content: [{ type: 'text', text: 'This tool intentionally returns an error for testing' }],
      });
    });

    it('reports progress to a call that asks for it, while it runs [PROG-002]', async () => {
      const seen: number[] = [];
      await client.callTool('test_tool_with_progress', {}, { onprogress: ({ progress }) => seen.push(progress) });
      // Clients drop what they read together with the answer.
      expect([
        [0, 50],
        [0, 50, 100],
      ]).toContainEqual(seen);
      expect(await client.callTool('test_tool_with_progress', {})).toMatchObject({ isError: false });
    });

    it('gets the answer of a call whose connection was let go, by coming back for it where that is possible', async () => {
      expect(await client.callTool('test_reconnection', {})).toMatchObject({
        content: [{ text: 'The result was waiting for the client to reconnect.' }],
        isError: false,
      });
    });

    it('has an argument repeated in a header by clients that do so, whatever its letters [HTTP-032]', async () => {
      for (const region of ['us-west1', 'Zürich ☂', ' padded ', '=?base64?SGVsbG8=?=', '']) {
        expect(await client.callTool('test_x_mcp_header', { region })).toMatchObject({
          content: [{ text: `Served in ${JSON.stringify(region)}.` }],
        });
      }
    });

    it('stops a cancelled call and serves the next one [CANCEL-002]', async () => {
      const cancelling = new AbortController();
      const seen: number[] = [];
      const onprogress = ({ progress }: { progress: number }): void => {
        seen.push(progress);
        cancelling.abort();
      };
      await expect(
        client.callTool('test_tool_with_progress', {}, { onprogress, signal: cancelling.signal }),
      ).rejects.toThrow();
      // Another call as long, which begins later and so ends later.
      await client.callTool('test_tool_with_progress', {});
      expect(seen).toEqual([0]);
      expect(await client.callTool('test_simple_text')).toMatchObject({ isError: false });
    });

    if (handshake) {
      it('logs to the client from the level that it sets [LOG-002, LOG-007]', async () => {
        await client.setLoggingLevel('debug');
        const before = client.logged.length;
        await client.callTool('test_tool_with_logging', {});
        expect(client.logged.slice(before)).toEqual([
          'Tool execution started',
          'Tool processing data',
          'Tool execution completed',
        ]);
      });
    } else {
      it('logs to the client only for a call that asks for it [LOG-004]', async () => {
        await client.callTool('test_logging_tool', {});
        expect(client.logged).toEqual([]);
        await client.callTool('test_tool_with_logging', {}, { logLevel: 'info' });
        expect(client.logged).toHaveLength(3);
      });
    }

    it('lists and reads resources of text and of bytes [RSRC-009, RSRC-011]', async () => {
      expect(await client.listResources()).toMatchObject({
        resources: [
          { uri: 'test://static-text', mimeType: 'text/plain' },
          { uri: 'test://static-binary', mimeType: 'image/png' },
          { uri: 'test://watched-resource' },
          { uri: 'skill://call-the-tools/SKILL.md', mimeType: 'text/markdown' },
          { uri: 'skill://read-the-resources/SKILL.md', mimeType: 'text/markdown' },
        ],
      });
      expect(await client.readResource('test://static-text')).toMatchObject({
        contents: [{ mimeType: 'text/plain', text: 'This is the content of the static text resource.' }],
      });
      const [binary] = (await client.readResource('test://static-binary')).contents;
      expect(binary).toMatchObject({ mimeType: 'image/png', blob: expect.stringMatching(/^iVBORw0KGgo/) });
    });

    it('reads what a template makes, and refuses what nothing makes [RSRC-007, RSRC-008]', async () => {
      expect(await client.listResourceTemplates()).toMatchObject({
        resourceTemplates: [{ uriTemplate: 'test://template/{id}/data' }],
      });
      const [data] = (await client.readResource('test://template/123/data')).contents;
      const expected = { id: '123', templateTest: true, data: 'Data for ID: 123' };
      expect(JSON.parse((data as { text: string }).text)).toEqual(expected);
      const missing = 'test://nonexistent-resource-for-conformance-testing';
      await expect(client.readResource(missing)).rejects.toMatchObject({
        code: notFound,
        data: { uri: missing },
      });
    });

    it('gets prompts with arguments, resources and pictures [PROMPT-007, PROMPT-008]', async () => {
      expect(await client.getPrompt('test_simple_prompt')).toMatchObject({
        messages: [{ role: 'user', content: { type: 'text', text: 'This is a simple prompt for testing.' } }],
      });
      expect(await client.getPrompt('test_prompt_with_arguments', { arg1: 'hello', arg2: 'world' })).toMatchObject({
        messages: [{ content: { text: "Prompt with arguments: arg1='hello', arg2='world'" } }],
      });
      expect(await client.getPrompt('test_prompt_with_embedded_resource', { resourceUri: 'test://any' })).toMatchObject(
        {
          messages: [
            { content: { type: 'resource', resource: { uri: 'test://any', mimeType: 'text/plain' } } },
            { content: { type: 'text', text: 'Please process the embedded resource above.' } },
          ],
        },
      );
      expect(await client.getPrompt('test_prompt_with_image')).toMatchObject({
        messages: [{ content: { type: 'image', mimeType: 'image/png' } }, { content: { type: 'text' } }],
      });
    });

    it('completes the argument of a prompt [COMPL-002]', async () => {
      const ref = { type: 'ref/prompt', name: 'test_prompt_with_arguments' } as const;
      expect(await client.complete({ ref, argument: { name: 'arg1', value: 'test' } })).toMatchObject({
        completion: { values: ['test', 'testing', 'tested'] },
      });
    });
  },
);
