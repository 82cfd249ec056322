/** The input and the output of the tool `forecast`. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsInt, IsNumber, IsOptional, IsString, Length, Matches, Max, Min, ValidateNested } from 'class-validator';

/** The city, and the days. */
export class ForecastQuery {
  @Describe('City name, for example "Oslo"')
  @IsString()
  @Length(2, 60)
  city!: string;

  @Describe('How many days, counted from the first one')
  @IsInt()
  @Min(1)
  @Max(14)
  days: number = 3;

  @Describe('The first day as YYYY-MM-DD; today (UTC) if left out')
  @IsOptional()
  @Matches(/^\d{4}-\d{2}-\d{2}$/)
  from?: string;
}

/** One day. */
export class ForecastDay {
  @Describe('YYYY-MM-DD')
  @IsString()
  date!: string;

  @Describe('Mean maximum, °C')
  @IsNumber()
  high!: number;

  @Describe('Mean minimum, °C')
  @IsNumber()
  low!: number;

  @Describe('Mean precipitation, mm')
  @IsNumber()
  precipitation!: number;
}

/** The days, and a sentence about them. */
export class Forecast {
  @IsString()
  city!: string;

  @IsString()
  country!: string;

  @Describe('One sentence that sums the days up')
  @IsString()
  summary!: string;

  @ValidateNested({ each: true })
  @Type(() => ForecastDay)
  days!: ForecastDay[];
}
