/** What one run of the planner shares between the classes and properties that it plans. */
import type { Class } from '../../values/class';
import type { ReportDto } from './dto-problems';
import type { Direction } from '../rules/transformer-rules';
import type { ClassPlan } from '../value-plan';

/** One run of the planner: the direction, and where problems go. */
export interface Planning {
  readonly direction: Direction;
  readonly report: ReportDto;
  /** The plan of another class; a class that is being planned already gives the same plan, still without properties. */
  planClass(dto: Class): ClassPlan;
}
