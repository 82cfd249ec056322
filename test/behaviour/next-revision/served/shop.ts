/** A server whose handlers know no revision. */
import { Feature, Tool, createServer, type Server } from '@sigil-mcp/core';
import { ALL_REVISIONS } from '@sigil-mcp/protocol';
import { IsInt, IsString } from 'class-validator';
import { NEXT_REVISION } from './revision';

class Order {
  @IsString() item!: string;
}
class Price {
  @IsInt() euros!: number;
}

@Feature()
export class Shop {
  @Tool('Says the price', { output: Price }) price({ item }: Order): Price {
    return { euros: item.length };
  }
  @Tool('Says hello') hello(): string {
    return 'Hello.';
  }
}

export const revisions = [...ALL_REVISIONS, NEXT_REVISION];

export function shop(): Server {
  return createServer({ name: 'shop', version: '1.0.0', features: [Shop], revisions, logger: false });
}
