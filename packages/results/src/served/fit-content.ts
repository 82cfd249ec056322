/** Content that is too long -> content that fits: files become links, and of texts the first characters stay. */
import type { ContentBlock } from '@sigil-mcp/core';
import { resourceLink, text } from '@sigil-mcp/core';
import { restUri } from '../names';
import { lengthOf, textPart } from './parts';
import type { FileRest, Rest } from './rest';

/** What content is fitted with. */
export interface Fitting {
  readonly tool: string;
  /** Characters of all blocks together. */
  readonly characters: number;
  /** Keeps a rest. @returns its id; undefined if it is not kept */
  readonly keep: (rest: Rest) => Promise<string | undefined>;
}

type Embedded = Extract<ContentBlock, { readonly type: 'resource' }>;

/** The blocks, or what fits of them. Pictures and sounds stay: they are no text for a model. */
export async function fitContent(blocks: readonly ContentBlock[], fitting: Fitting): Promise<readonly ContentBlock[]> {
  if (lengthOf({ content: blocks }) <= fitting.characters) return blocks;
  const linked = await Promise.all(blocks.map((block) => asLink(block, fitting)));
  if (lengthOf({ content: linked }) <= fitting.characters) return linked;
  return fitTexts(linked, fitting);
}

/** A file that is longer than a quarter of the budget becomes a link to it. */
async function asLink(block: ContentBlock, fitting: Fitting): Promise<ContentBlock> {
  if (block.type !== 'resource' || lengthOf({ content: [block] }) <= fitting.characters / 4) return block;
  return link(block, fitting);
}

async function link({ resource }: Embedded, { tool, keep }: Fitting): Promise<ContentBlock> {
  const { uri, mimeType, text: written, blob } = resource;
  const size = written === undefined ? Buffer.byteLength(blob ?? '', 'base64') : Buffer.byteLength(written);
  const file: FileRest = {
    kind: 'file',
    tool,
    ...(mimeType !== undefined && { mimeType }),
    ...(written === undefined ? { blob: blob ?? '' } : { text: written }),
  };
  const id = await keep(file);
  if (id === undefined) return text(`${uri} has ${size} bytes, too many for this result, and was not kept.`);
  return resourceLink({ uri: restUri(id, 0), name: uri, ...(mimeType !== undefined && { mimeType }), size });
}

/** The first texts stay, as far as they fit, and all others are the rest. */
async function fitTexts(blocks: readonly ContentBlock[], { tool, characters, keep }: Fitting) {
  const others = blocks.filter(({ type }) => type !== 'text');
  const whole = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
  if (whole === '') return blocks;
  const rest = { kind: 'text', tool, text: whole } as const;
  const id = await keep(rest);
  const room = Math.max(characters - lengthOf({ content: others }), characters / 2);
  return [...textPart(rest, { id, from: 0, characters: room }), ...others];
}
