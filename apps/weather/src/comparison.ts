/** The input and the output of the tool `compareCities`. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsIn,
  IsNumber,
  IsOptional,
  IsString,
  Length,
  ValidateNested,
} from 'class-validator';
import { MONTHS, type Month } from './months';

/** The cities, and the month. */
export class ComparisonQuery {
  @Describe('Two to six city names')
  @IsString({ each: true })
  @Length(2, 60, { each: true })
  @ArrayMinSize(2)
  @ArrayMaxSize(6)
  cities!: string[];

  @Describe('The month to compare; the whole year if left out')
  @IsOptional()
  @IsIn([...MONTHS])
  month?: Month;
}

/** The values of one city. */
export class ComparedCity {
  @IsString()
  city!: string;

  @IsString()
  country!: string;

  @Describe('Mean daily maximum, °C')
  @IsNumber()
  high!: number;

  @Describe('Mean daily minimum, °C')
  @IsNumber()
  low!: number;

  @Describe('Mean precipitation in the month or year, mm')
  @IsNumber()
  precipitation!: number;
}

/** The cities side by side. */
export class Comparison {
  @Describe('A month, or "the whole year"')
  @IsString()
  period!: string;

  @IsString()
  warmest!: string;

  @IsString()
  driest!: string;

  @ValidateNested({ each: true })
  @Type(() => ComparedCity)
  cities!: ComparedCity[];
}
