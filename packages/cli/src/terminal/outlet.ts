/**
 * All output for users passes here: control characters that are not ours (see own-sequences.ts) are shown as text instead of being
 * executed, because they may come from a server. Only messages of the protocol do not pass here.
 */
import { withOwnSequences } from './own-sequences';
import { visible } from '@sigil-mcp/base';

/** A stream that accepts text. */
export interface TextStream {
  write(text: string): unknown;
}

/** Writes a text for users. */
export function show(stream: TextStream, text: string): void {
  stream.write(withOwnSequences(visible(text)));
}
