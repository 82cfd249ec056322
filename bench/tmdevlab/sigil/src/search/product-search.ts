/** The arguments of `search_products`. */
import { Describe } from '@sigil-mcp/core';
import { IsInt, IsNumber, IsString, Max, MaxLength, Min } from 'class-validator';

export class ProductSearch {
  @Describe('One of the 20 categories, such as Books')
  @IsString()
  @MaxLength(40)
  category: string = 'Electronics';

  @Describe('Lowest price')
  @IsNumber()
  @Min(0)
  min_price: number = 50;

  @Describe('Highest price')
  @IsNumber()
  @Min(0)
  max_price: number = 500;

  @Describe('How many products are listed at most')
  @IsInt()
  @Min(1)
  @Max(1000)
  limit: number = 10;
}
