/** The bodies and queries of a REST API, with class-validator, class-transformer and Swagger: thirty classes and their mapped types. */
import { ApiProperty, ApiPropertyOptional, IntersectionType, OmitType, PartialType, PickType } from '@nestjs/swagger';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsIn,
  IsInt,
  IsISO31661Alpha2,
  IsNotEmpty,
  IsNumber,
  IsOptional,
  IsPhoneNumber,
  IsPositive,
  IsString,
  IsUUID,
  Length,
  Matches,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { OrderStatus } from './entities';

export class IdDto {
  @ApiProperty({ description: 'Its number' }) @IsInt() @IsPositive() id!: number;
}
export class PageDto {
  @ApiPropertyOptional({ default: 1 }) @IsOptional() @Type(() => Number) @IsInt() @Min(1) page: number = 1;
  @ApiPropertyOptional({ default: 20 }) @IsOptional() @Type(() => Number) @IsInt() @Min(1) @Max(100) limit: number = 20;
}
export class SortDto {
  @ApiPropertyOptional({ enum: ['asc', 'desc'] }) @IsOptional() @IsIn(['asc', 'desc']) order?: 'asc' | 'desc';
}
export class PeriodDto {
  @IsOptional() @Type(() => Date) @IsDate() from?: Date;
  @IsOptional() @Type(() => Date) @IsDate() to?: Date;
}

export class CreateCustomerDto {
  @ApiProperty({ example: 'ada@example.com' })
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase().trim() : value))
  @IsEmail()
  email!: string;

  @ApiProperty({ example: 'Ada' }) @IsString() @Length(1, 80) name!: string;
  @ApiProperty({ minLength: 8 }) @MinLength(8) password!: string;
  @ApiPropertyOptional({ type: String, nullable: true }) @IsOptional() @IsPhoneNumber() phone?: string | null;
}
export class UpdateCustomerDto extends PartialType(OmitType(CreateCustomerDto, ['password'] as const)) {}
export class ChangeCustomerDto extends IntersectionType(IdDto, UpdateCustomerDto) {}
export class ChangePasswordDto extends PickType(CreateCustomerDto, ['password'] as const) {
  @IsString() @IsNotEmpty() oldPassword!: string;
}
export class CustomerFilterDto extends IntersectionType(PageDto, SortDto) {
  @ApiPropertyOptional() @IsOptional() @IsString() search?: string;
}
@Exclude()
export class CustomerDto {
  @Expose() @IsInt() id!: number;
  @Expose() @IsEmail() email!: string;
  @Expose() @IsString() name!: string;
}
export class LoginDto extends PickType(CreateCustomerDto, ['email', 'password'] as const) {}
export class TokenDto {
  @IsString() token!: string;
  @IsInt() expiresIn!: number;
}

export class CreateCategoryDto {
  @IsString() @Length(2, 40) name!: string;
}
export class CategoryDto extends IntersectionType(IdDto, CreateCategoryDto) {}
export class CategoryRefDto extends PickType(CategoryDto, ['id'] as const) {}

export class CreateProductDto {
  @ApiProperty({ description: 'What customers read' }) @IsString() @Length(3, 120) title!: string;
  @IsNumber({ maxDecimalPlaces: 2 }) @IsPositive() price!: number;
  @IsOptional() @IsInt() @Min(0) stock?: number;
  @ApiPropertyOptional({ type: [String] })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(10)
  tags?: string[];
  @IsOptional() @ValidateNested({ each: true }) @Type(() => CategoryRefDto) categories?: CategoryRefDto[];
}
export class UpdateProductDto extends PartialType(CreateProductDto) {}
export class ChangeProductDto extends IntersectionType(IdDto, UpdateProductDto) {}
export class ProductFilterDto extends IntersectionType(PageDto, SortDto) {
  @IsOptional() @IsString() search?: string;
  @IsOptional() @Type(() => Number) @IsNumber() @Min(0) minPrice?: number;
  @IsOptional() @Type(() => Number) @IsNumber() maxPrice?: number;
  @IsOptional() @IsBoolean() inStock?: boolean;
}
export class StockChangeDto extends IdDto {
  @ApiProperty({ description: 'How many come, or go if negative' }) @IsInt() by!: number;
}
export class ProductDto extends IntersectionType(IdDto, CreateProductDto) {}

export class AddressDto {
  @IsString() @IsNotEmpty() street!: string;
  @IsString() @IsNotEmpty() city!: string;
  @ApiProperty({ example: 'SK' }) @IsISO31661Alpha2() country!: string;
}
export class OrderLineDto {
  @IsInt() productId!: number;
  @IsInt() @Min(1) @Max(99) count!: number;
}
export class CreateOrderDto {
  @IsInt() customerId!: number;
  @ValidateNested() @Type(() => AddressDto) address!: AddressDto;
  @IsArray() @ArrayNotEmpty() @ValidateNested({ each: true }) @Type(() => OrderLineDto) lines!: OrderLineDto[];
  @ApiPropertyOptional({ format: 'uuid' }) @IsOptional() @IsUUID() idempotencyKey?: string;
  @IsOptional() @Matches(/^[A-Z]{4}\d{2}$/) coupon?: string;
}
export class OrderStatusDto {
  @ApiProperty({ enum: OrderStatus, enumName: 'OrderStatus' }) @IsEnum(OrderStatus) status!: OrderStatus;
}
export class ChangeOrderDto extends IntersectionType(IdDto, OrderStatusDto) {}
export class OrderFilterDto extends IntersectionType(PageDto, PartialType(OrderStatusDto), PeriodDto) {}
export class OrderSummaryDto {
  @IsInt() id!: number;
  @IsEnum(OrderStatus) status!: OrderStatus;
  @IsString() customer!: string;
  @IsNumber() total!: number;
}
export class OrderPageDto {
  @ValidateNested({ each: true }) @Type(() => OrderSummaryDto) items!: OrderSummaryDto[];
  @IsInt() total!: number;
}
export class RevenueDto {
  @IsNumber() revenue!: number;
  @IsInt() orders!: number;
}
