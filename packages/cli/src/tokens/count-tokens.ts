/**
 * The one way in which sigil counts tokens: with the tokenizer of the newest models of OpenAI, which is loaded when something is counted. It is
 * an optional package of 30 MB: without it, tokens are estimated, or a command that is about them says how to install it.
 */
import { join } from 'node:path';
import type * as Tokenizer from 'gpt-tokenizer/encoding/o200k_base';
import { failure } from '../failure';
import { loadPackage, OWN_PLACE } from '../project/find-project';

/** The number of tokens of a text. */
export interface CountTokens {
  (text: string): number;
  /** How they are counted, for users. */
  readonly encoding: 'o200k_base' | 'estimate';
}

const TOKENIZER = 'gpt-tokenizer/encoding/o200k_base';

/** What an estimate takes for a token, in bytes: English words and JSON have a little more, other scripts less. */
const BYTES = 4;

/**
 * The longest run of characters without a space that is counted as one: the merges of a longer one cost more than linear time. A cut adds a token
 * at most.
 */
const LONGEST_RUN = 256;
const LONG_RUN = new RegExp(`\\S{${LONGEST_RUN}}|\\s{${LONGEST_RUN}}`, 'g');

/** Characters that are counted of a text. A longer one is over every budget: the rest of it counts as its beginning does. */
const MOST_COUNTED = 100_000;

/**
 * Loads the tokenizer: 0.2 s and 70 MB, once for each process. Special tokens in a text count as the words that they are, because a host
 * does not let a server send special tokens either.
 * @param folder of the project, which may have the tokenizer if the command line does not
 * @returns an estimate, if it is not installed
 */
export function loadTokenizer(folder: string): CountTokens {
  const loaded = loadPackage<typeof Tokenizer>(TOKENIZER, [OWN_PLACE, join(folder, 'package.json')]);
  if (!loaded) return Object.assign(estimate, { encoding: 'estimate' } as const);
  const options = { disallowedSpecial: new Set<string>() };
  const count = (text: string): number =>
    piecesOf(text).reduce((sum, piece) => sum + loaded.countTokens(piece, options), 0);
  const countBeginning = (text: string): number =>
    text.length <= MOST_COUNTED
      ? count(text)
      : Math.round((count(text.slice(0, MOST_COUNTED)) * text.length) / MOST_COUNTED);
  return Object.assign(countBeginning, { encoding: 'o200k_base' } as const);
}

/** For what is about tokens. @throws CliFailure for an estimate */
export function exact(count: CountTokens): CountTokens {
  if (count.encoding === 'estimate') throw failure('SIGIL_CLI_TOKENIZER');
  return count;
}

function estimate(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES);
}

/** A text without long runs is one piece. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  let from = 0;
  for (const { index, 0: run } of text.matchAll(LONG_RUN)) {
    pieces.push(text.slice(from, index), run);
    from = index + run.length;
  }
  return from === 0 ? [text] : [...pieces, text.slice(from)];
}
