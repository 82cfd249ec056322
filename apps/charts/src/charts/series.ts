/** The input and the output of the tools. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsIn, IsNumber, IsString, Length, ValidateNested } from 'class-validator';
import { PERIODS, type Period } from '../climate/climate';

/** The city. */
export class CityQuery {
  @Describe('City name, for example "Oslo"')
  @IsString()
  @Length(2, 60)
  city!: string;
}

/** The city and a period. */
export class PeriodQuery extends CityQuery {
  @IsIn(PERIODS)
  period!: Period;
}

/** A month or a week. */
export class Point {
  @Describe('The month, or the first day of the week')
  @IsString()
  name!: string;

  @Describe('Mean maximum, °C')
  @IsNumber()
  high!: number;

  @Describe('Mean minimum, °C')
  @IsNumber()
  low!: number;

  @Describe('Mean precipitation in all, mm')
  @IsNumber()
  precipitation!: number;
}

/** What a chart shows. */
export class Series {
  @IsString()
  city!: string;

  @IsString()
  country!: string;

  @IsIn(PERIODS)
  period!: Period;

  @Describe('The warmest, coldest and wettest point, in a sentence')
  @IsString()
  summary!: string;

  @ValidateNested({ each: true })
  @Type(() => Point)
  points!: Point[];
}
