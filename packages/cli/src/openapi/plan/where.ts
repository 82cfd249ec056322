/** Where a schema stands, and what plans its type. */
import type { Pointers } from '../document/pointers';
import type { PickedFields } from './picked-fields';
import type { ValueDirection } from './plan-scalar';
import type { Shape } from './shape';
import type { TypePlan, WrittenClass } from './type-plan';

/** Where a schema stands. */
export interface Where {
  readonly direction: ValueDirection;
  /** 0 for what is sent or answered as a whole. */
  readonly depth: number;
  /** For a class without a name of its own: `CreateIssueInput`, then `CreateIssueInputLabel`. */
  readonly name: string;
  readonly isModel: boolean;
  /** The classes around it, by their component. */
  readonly chain: ReadonlyMap<string, WrittenClass>;
  /** Lists, maps and unions around it, which may be met again within themselves; none if left out. */
  readonly around?: ReadonlySet<Shape>;
  /** The fields that a rule names; undefined for the usual ones. */
  readonly fields: PickedFields | undefined;
  /** Whether a rule wants all fields. */
  readonly all: boolean;
  readonly note: (text: string) => void;
}

/** Plans the types of schemas, for what plans a part of a type. */
export interface TypePlanner {
  readonly pointers: Pointers;
  /** The type of a schema that has been read. */
  typeOfShape(shape: Shape, where: Where): TypePlan;
}
