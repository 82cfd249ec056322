// #region view
import { View } from '@sigil-mcp/apps';
import { Describe, Feature, Tool } from '@sigil-mcp/core';
import { IsInt } from 'class-validator';
import { Shop } from './shop';

class Sales {
  @Describe('Orders that are not sent yet') @IsInt() open!: number;
  @Describe('Orders that were sent') @IsInt() sent!: number;
}

@Feature()
export class SalesFeature {
  @View('ui://shop/sales', { file: './sales.html' }) // next to this file; npm run build copies it
  readonly sales!: View;

  constructor(private readonly shop: Shop) {}

  // Clients without views show the data as text.
  @Tool('Shows how many orders are open and sent', { output: Sales, view: 'sales', readOnly: true })
  showSales(): Sales {
    const states = [...this.shop.orders.values()].map(({ state }) => state);
    const count = (wanted: string): number => states.filter((state) => state === wanted).length;
    return { open: count('open'), sent: count('sent') };
  }
}
// #endregion view
