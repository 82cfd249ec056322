/** The recipes with Sigil, after the move that docs/how-to/from-mcp-nest.md shows. */
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { createServer, Describe, Feature, Injectable, Tool, ToolFailure } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { IsInt, IsNumber, IsString, Max, Min } from 'class-validator';
import { flour } from './recipes';

// #region after
class FlourFor {
  @Describe('Name of the dish') @IsString() dish!: string;
  @IsInt() @Min(1) @Max(50) people: number = 4;
}
class Flour {
  @IsNumber() grams!: number;
}

@Injectable()
class Kitchen {
  flourFor(dish: string): number | undefined {
    return flour[dish];
  }
}

@Feature()
class RecipesFeature {
  constructor(private readonly kitchen: Kitchen) {}

  @Tool('How much flour a dish takes', { output: Flour, readOnly: true })
  flourFor({ dish, people }: FlourFor): Flour {
    const grams = this.kitchen.flourFor(dish);
    if (grams === undefined) throw new ToolFailure(`There is no dish ${dish}.`);
    return { grams: grams * people };
  }
}

const server = createServer({ name: 'recipes', version: '1.0.0', features: [RecipesFeature] });
void server.listen(new StdioTransport());
// #endregion after
