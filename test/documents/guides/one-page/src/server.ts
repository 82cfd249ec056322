// #region server
import { apps } from '@sigil-mcp/apps';
import { createServer } from '@sigil-mcp/core';
import { tasks } from '@sigil-mcp/tasks';
import { CancelFeature } from './cancel.feature';
import { CatalogueFeature } from './catalogue.feature';
import { Timing } from './guards';
import { LiveFeature } from './live.feature';
import { OrdersFeature } from './orders.feature';
import { ReportFeature } from './report.feature';
import { SalesFeature } from './sales.feature';
import { MemoryStock, STOCK } from './stock';
import { StockFeature } from './stock.feature';

export const server = createServer({
  name: 'shop',
  version: '1.0.0',
  instructions: 'Places and cancels orders. Ask for the email address before you order.',
  features: [OrdersFeature, CancelFeature, CatalogueFeature, LiveFeature, ReportFeature, SalesFeature, StockFeature],
  extensions: [tasks(), apps()], // for the option `task`, and for views
  interceptors: [Timing],
  providers: [
    { provide: 'REGION', useValue: process.env['REGION'] ?? 'eu' },
    { provide: STOCK, useClass: MemoryStock },
  ],
  strict: true, // refuses properties without a type, and descriptions that begin with TODO
});
// #endregion server
