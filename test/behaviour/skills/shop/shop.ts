/** A shop with skills: one beside its feature, the others in a folder. */
import { join } from 'node:path';
import {
  Feature,
  Prompt,
  Resource,
  Roles,
  Tool,
  UseGuards,
  createServer,
  type Server,
  type ServerOptions,
} from '@sigil-mcp/core';
import { Skill, skills, type SkillsOptions } from '@sigil-mcp/skills';
import { IsString } from 'class-validator';

class Order {
  @IsString() item!: string;
}
class OrderName {
  @IsString() id!: string;
}

/** What the shop has. @param folder with `ordering.md` and `catalogue` */
export function shopDefinition(
  folder: string,
  more: SkillsOptions = {},
): Pick<ServerOptions, 'features' | 'extensions'> {
  @Feature()
  @Skill(join(folder, 'ordering.md'))
  class OrderFeature {
    @Tool('Creates an order', { name: 'create_order' }) create({ item }: Order): string {
      return `Ordered ${item}.`;
    }
    @Tool('Gives the money back', { name: 'refund_order' }) @UseGuards(Roles('staff')) refund({
      id,
    }: OrderName): string {
      return `Refunded ${id}.`;
    }
    @Resource('shop://opening-hours') hours(): string {
      return '9 to 5';
    }
    @Resource('shop://orders/{id}') order({ id }: OrderName): string {
      return `Order ${id}`;
    }
    @Prompt('Thanks a customer', { name: 'thank_customer' }) thank(): string {
      return 'Thank you.';
    }
  }
  const catalogue = skills({ folders: [join(folder, 'catalogue')], directoryRead: true, ...more });
  return { features: [OrderFeature], extensions: [catalogue] };
}

export function shop(folder: string, more: SkillsOptions = {}, options: Partial<ServerOptions> = {}): Server {
  return createServer({ name: 'shop', version: '1.0.0', logger: false, ...shopDefinition(folder, more), ...options });
}
