/** The prompts: what a person picks from a menu to start a conversation. */
import { Complete, Describe, Feature, Prompt, ProtocolError, embedded, text, type ContentBlock } from '@sigil-mcp/core';
import { IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import type { CityClimate } from './city-climate';
import { Climate } from './climate';
import { MONTHS, type Month } from './months';

/** The city, the month and the length of a trip. */
export class Trip {
  @Describe('City name, for example "Lisbon"')
  @IsString()
  @Length(2, 60)
  city!: string;

  @Describe('Name of the month, for example "May"')
  @IsIn([...MONTHS])
  month!: Month;

  @Describe('How many days the trip takes; 7 if left out')
  @IsInt()
  @Min(1)
  @Max(60)
  days: number = 7;
}

/** A city that a user knows, and another one. */
export class Move {
  @Describe('The city that the user knows')
  @IsString()
  @Length(2, 60)
  from!: string;

  @Describe('The city that the user moves to')
  @IsString()
  @Length(2, 60)
  to!: string;

  @Describe('What the user cares about, for example "my asthma"')
  @IsOptional()
  @IsString()
  @Length(1, 200)
  concern?: string;
}

/** Built once per server, with the service injected. */
@Feature()
export class TravelPrompts {
  constructor(private readonly climate: Climate) {}

  @Prompt('Plan a trip, and pack for the weather of the season', { title: 'Plan a trip' })
  planTrip({ city, month, days }: Trip): ContentBlock[] {
    const found = this.#get(city);
    return [
      this.#attached(found),
      text(
        `Plan ${days} days in ${found.city} in ${month}. Use the attached climate normals to choose between outdoor ` +
          'and indoor plans for each day, and end with a packing list.',
      ),
    ];
  }

  @Prompt('Explain the climate of a city to a user who knows another one', {
    title: 'Explain a climate',
  })
  explainClimate({ from, to, concern }: Move): ContentBlock[] {
    const [known, other] = [this.#get(from), this.#get(to)];
    const special = concern === undefined ? '' : ` Pay attention to this: ${concern}.`;
    return [
      this.#attached(known),
      this.#attached(other),
      text(`I live in ${known.city}. Season by season, what will be different for me in ${other.city}?${special}`),
    ];
  }

  @Complete('city', 'planTrip')
  @Complete('from', 'explainClimate')
  @Complete('to', 'explainClimate')
  citiesLike(typed: string): string[] {
    return this.climate.citiesLike(typed);
  }

  @Complete('month', 'planTrip')
  monthsLike(typed: string): string[] {
    return MONTHS.filter((month) => month.toLowerCase().startsWith(typed.toLowerCase()));
  }

  #attached(found: CityClimate): ContentBlock {
    const uri = `weather://${encodeURIComponent(found.city)}/climate`;
    return embedded({ uri, mimeType: 'application/json', text: JSON.stringify(found) });
  }

  #get(city: string): CityClimate {
    const found = this.climate.find(city);
    if (!found) throw new ProtocolError('invalid-params', this.climate.explainUnknown(city));
    return found;
  }
}
