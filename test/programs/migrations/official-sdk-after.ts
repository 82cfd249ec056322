/** The recipes with Sigil, after the move that docs/how-to/from-official-sdk.md shows. */
import '@sigil-mcp/core/stdio/guard';
import 'reflect-metadata';
import { Complete, createServer, Describe, Feature, Resource, Tool, ToolFailure } from '@sigil-mcp/core';
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
class Dish {
  @IsString() dish!: string;
}

@Feature()
class Recipes {
  @Tool('How much flour a dish takes', { output: Flour, readOnly: true })
  flourFor({ dish, people }: FlourFor): Flour {
    const one = flour[dish];
    if (one === undefined) throw new ToolFailure(`There is no dish ${dish}.`);
    return { grams: one * people };
  }

  @Resource('recipe://{dish}', { name: 'A recipe', mimeType: 'text/plain' })
  recipe({ dish }: Dish): string {
    return `${flour[dish]} g of flour, and patience.`;
  }

  @Complete('dish', 'recipe')
  dishes(typed: string): string[] {
    return Object.keys(flour).filter((dish) => dish.startsWith(typed));
  }
}

const server = createServer({ name: 'recipes', version: '1.0.0', features: [Recipes] });
void server.listen(new StdioTransport());
// #endregion after
