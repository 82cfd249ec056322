/** The floor: parses a line, answers a fixed result. It writes once for each chunk that it reads, or with `--plain` each answer. */
const result =
  '{"content":[{"type":"text","text":"{\\"summary\\":\\"mild in Oslo\\",\\"highs\\":[11,12,13]}"}],"structuredContent":{"summary":"mild in Oslo","highs":[11,12,13]},"isError":false}';
const opening =
  '{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"bare","version":"1"}}';

const isPlain = process.argv.includes('--plain');

let begun = '';
process.stdin.setEncoding('utf8').on('data', (chunk) => {
  const lines = (begun + chunk).split('\n');
  begun = lines.pop();
  let answers = '';
  for (const line of lines) {
    const { id, method } = JSON.parse(line);
    if (id === undefined) continue;
    const answer = `{"jsonrpc":"2.0","id":${id},"result":${method === 'initialize' ? opening : result}}\n`;
    if (isPlain) process.stdout.write(answer);
    else answers += answer;
  }
  if (answers) process.stdout.write(answers);
});
