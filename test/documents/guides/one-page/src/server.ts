// #region server
import { createServer } from '@sigil-mcp/core';
import { CancelFeature } from './cancel.feature';
import { CatalogueFeature } from './catalogue.feature';
import { Timing } from './guards';
import { LiveFeature } from './live.feature';
import { OrdersFeature } from './orders.feature';
import { MemoryStock, STOCK } from './stock';
import { StockFeature } from './stock.feature';

export const server = createServer({
  name: 'shop',
  version: '1.0.0',
  instructions: 'Places and cancels orders. Ask for the email address before you order.',
  features: [OrdersFeature, CancelFeature, CatalogueFeature, LiveFeature, StockFeature],
  interceptors: [Timing],
  providers: [
    { provide: 'REGION', useValue: process.env['REGION'] ?? 'eu' },
    { provide: STOCK, useClass: MemoryStock },
  ],
  strict: true, // refuses properties without a type, and descriptions that begin with TODO
});
// #endregion server
