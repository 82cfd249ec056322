/** The arguments of `checkout`. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsInt, IsString, MaxLength, Min, ValidateNested } from 'class-validator';

export class OrderItem {
  @Describe('Id of a product')
  @IsInt()
  @Min(1)
  product_id!: number;

  @Describe('How many of them')
  @IsInt()
  @Min(1)
  quantity!: number;
}

export class Order {
  @Describe('Id of the user, such as user-00042')
  @IsString()
  @MaxLength(64)
  user_id: string = 'user-00042';

  @Describe('What is bought')
  @ValidateNested({ each: true })
  @Type(() => OrderItem)
  @ArrayNotEmpty()
  @ArrayMaxSize(100)
  items: OrderItem[] = [
    { product_id: 42, quantity: 2 },
    { product_id: 1337, quantity: 1 },
  ];
}
