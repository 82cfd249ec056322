/** What the process of a server reports of its entries. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, Feature, Sensitive, Tool } from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { IsInt, IsString } from 'class-validator';
import { reportEntries, type ListedRegistry } from '../src/dev/report-entries';

class Payment {
  @Sensitive() @IsString() pin!: string;
}
class Receipt {
  @IsInt() amount!: number;
  @Sensitive() @IsString() code!: string;
}
@Feature()
class Bank {
  @Tool('Pays', { output: Receipt })
  pay({ pin }: Payment): Receipt {
    return { amount: 1, code: pin };
  }
  @Tool('Counts')
  count(): string {
    return '1';
  }
}

it('names the sensitive parts of arguments and of results, and nothing of shapes without them', async () => {
  let registry: ListedRegistry | undefined;
  const note = (message: unknown): void => void ({ registry } = message as { registry: ListedRegistry });
  subscribe('sigil:server:observe', note);
  try {
    const client = await connect(createServer({ name: 'bank', version: '1.0.0', features: [Bank], logger: false }));
    expect(registry && reportEntries(registry)).toMatchObject([
      { kind: 'tool', key: 'pay', input: { sensitive: [['pin']] }, output: { sensitive: [['code']] } },
      { kind: 'tool', key: 'count', input: undefined, output: undefined },
    ]);
    await client.close();
  } finally {
    unsubscribe('sigil:server:observe', note);
  }
});
