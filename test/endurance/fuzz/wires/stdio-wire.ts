/** One conversation over the pipes of a process of its own. */
import { isUtf8 } from 'node:buffer';
import type { WatchedServer } from '../../../support/watched/watched-server';
import type { Ledger } from '../judging/ledger';
import type { Conversation, Input } from '../traffic/conversation';
import { DuplexTalk } from './duplex-talk';

const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** The bytes of an input, with those replaced that it spoils. */
export function bytesOf({ text, bytes = [] }: Input): Buffer {
  const whole = Buffer.from(text, 'utf8');
  for (const { at, value } of bytes) if (whole.length > 0) whole[at % whole.length] = value;
  return whole;
}

/** Plays a conversation. @returns what is wrong */
export async function playStdio(
  server: WatchedServer,
  conversation: Conversation,
  patience: number,
): Promise<string[]> {
  let begun = Buffer.alloc(0);
  const send = (bytes: Buffer, ledger: Ledger): void => {
    begun = Buffer.concat([begun, bytes]);
    for (let end = begun.indexOf(NEWLINE); end >= 0; end = begun.indexOf(NEWLINE)) {
      noteLine(begun.subarray(0, end), ledger);
      begun = begun.subarray(end + 1);
    }
    server.stdin.write(bytes);
  };
  const talk = new DuplexTalk(conversation, {
    send: (input, ledger) => send(Buffer.concat([bytesOf(input), Buffer.from(input.ending ?? '\n')]), ledger),
    flush: (ledger) => begun.length > 0 && send(Buffer.from('\n'), ledger),
    get ended() {
      return server.ended;
    },
  });
  readLines(server, talk.receive);
  return talk.play(patience);
}

function noteLine(line: Buffer, ledger: Ledger): void {
  const text = line.at(-1) === RETURN ? line.subarray(0, -1) : line;
  if (isUtf8(line)) ledger.sent(text.toString('utf8'));
  else ledger.sentGarbage();
}

function readLines(server: WatchedServer, take: (line: string) => void): void {
  let rest = '';
  server.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
}
