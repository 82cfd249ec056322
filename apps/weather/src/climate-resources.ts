/** The resources: the data itself, for an application to attach to a conversation. */
import { Complete, Describe, Feature, ProtocolError, Resource } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';
import type { CityClimate } from './city-climate';
import { Climate } from './climate';

/** The normals change once in ten years; a client may cache them for a day. */
const CACHE = { ttlMs: 24 * 60 * 60 * 1000, cacheScope: 'public' } as const;

/** The variable of the template. */
export class CityName {
  @Describe('City name, for example "Oslo"')
  @IsString()
  @Length(2, 60)
  city!: string;
}

/** Built once per server, with the service injected. */
@Feature()
export class ClimateResources {
  constructor(private readonly climate: Climate) {}

  @Resource('weather://cities', {
    title: 'Known cities',
    description: 'Every city that this server has climate data for, with country and position',
    mimeType: 'application/json',
    cache: CACHE,
  })
  cities(): object[] {
    return this.climate.cities().map(({ city, country, continent, latitude, longitude }) => ({
      city,
      country,
      continent,
      latitude,
      longitude,
      uri: `weather://${encodeURIComponent(city)}/climate`,
    }));
  }

  @Resource('weather://{city}/climate', {
    title: 'Climate of a city',
    description: 'Twelve months of normals: mean daily maximum and minimum in °C, precipitation in mm',
    mimeType: 'application/json',
    cache: CACHE,
  })
  cityClimate({ city }: CityName): CityClimate {
    const found = this.climate.find(city);
    if (found) return found;
    const uri = `weather://${encodeURIComponent(city)}/climate`;
    throw new ProtocolError('resource-not-found', this.climate.explainUnknown(city), { uri });
  }

  @Complete('city', 'cityClimate')
  citiesLike(typed: string): string[] {
    return this.climate.citiesLike(typed);
  }
}
