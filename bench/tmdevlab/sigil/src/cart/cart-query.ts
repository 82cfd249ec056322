/** The arguments of `get_user_cart`. */
import { Describe } from '@sigil-mcp/core';
import { IsString, MaxLength } from 'class-validator';

export class CartQuery {
  @Describe('Id of the user, such as user-00042')
  @IsString()
  @MaxLength(64)
  user_id: string = 'user-00042';
}
