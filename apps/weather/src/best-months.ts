/** The input and the output of the tool `bestTimeToVisit`, and the ranking of the months. */
import { Describe } from '@sigil-mcp/core';
import { Type } from 'class-transformer';
import { IsEnum, IsIn, IsNumber, IsString, Length, ValidateNested } from 'class-validator';
import type { CityClimate } from './city-climate';
import { MONTHS, type Month } from './months';

/** The weather that a traveller likes. */
export enum Taste {
  Hot = 'hot',
  Mild = 'mild',
  Cold = 'cold',
}

/** The afternoon temperature that suits each taste best, °C. */
const IDEAL_HIGH: Readonly<Record<Taste, number>> = { [Taste.Hot]: 30, [Taste.Mild]: 22, [Taste.Cold]: 0 };

/** This much rain in a month counts as much as one degree off the ideal. */
const MILLIMETRES_PER_DEGREE = 20;

/** A city, and the taste of the traveller. */
export class BestMonthsQuery {
  @Describe('City name, for example "Lisbon"')
  @IsString()
  @Length(2, 60)
  city!: string;

  @Describe('Which weather the traveller likes: hot is 30 °C in the afternoon, mild 22 °C, cold 0 °C')
  @IsEnum(Taste)
  taste: Taste = Taste.Mild;
}

/** A month, with the values that rank it. */
export class RankedMonth {
  @IsIn([...MONTHS])
  month!: Month;

  @Describe('Mean daily maximum, °C')
  @IsNumber()
  high!: number;

  @Describe('Mean precipitation in the month, mm')
  @IsNumber()
  precipitation!: number;
}

/** The three best months. */
export class BestMonths {
  @IsString()
  city!: string;

  @Describe('Best first')
  @ValidateNested({ each: true })
  @Type(() => RankedMonth)
  months!: RankedMonth[];
}

/** Ranks the twelve months, best first: near the ideal temperature, and dry. */
export function rankMonths({ highs, precipitation }: CityClimate, taste: Taste): RankedMonth[] {
  return MONTHS.map((month, index) => ({ month, high: highs[index] ?? 0, precipitation: precipitation[index] ?? 0 }))
    .map((month) => ({ month, penalty: penaltyOf(month, IDEAL_HIGH[taste]) }))
    .sort((a, b) => a.penalty - b.penalty)
    .map(({ month }) => month);
}

function penaltyOf({ high, precipitation }: RankedMonth, ideal: number): number {
  return Math.abs(high - ideal) + precipitation / MILLIMETRES_PER_DEGREE;
}
