// #region resources
import { Complete, Describe, Feature, ListTemplate, Prompt, Resource, type ListedResource } from '@sigil-mcp/core';
import { IsIn } from 'class-validator';
import { OrderId, type Order } from './order.dto';
import { Shop } from './shop';

class Report {
  @Describe('How much to say') @IsIn(['short', 'long']) length: string = 'short';
}

@Feature()
export class CatalogueFeature {
  constructor(private readonly shop: Shop) {}

  @Resource('shop://hours', { description: 'When the shop is open', mimeType: 'text/plain' })
  hours(): string {
    return 'Monday to Friday, 9 to 17';
  }

  @Resource('shop://orders/{id}', { description: 'One order', mimeType: 'application/json' })
  order({ id }: OrderId): Order | undefined {
    return this.shop.orders.get(id); // undefined: there is no such resource
  }

  @ListTemplate('order') // the name of the method above
  listed(): ListedResource[] {
    return [...this.shop.orders.keys()].map((id) => ({ variables: { id }, name: `Order ${id}` }));
  }

  @Complete('id', 'order') // the variable, and the method
  completeId(typed: string): string[] {
    return [...this.shop.orders.keys()].filter((id) => id.startsWith(typed));
  }

  @Prompt('Reports on the orders')
  report({ length }: Report): string {
    return `Call listOrders and write a ${length} report.`;
  }
}
// #endregion resources
