import type { Violation } from '@ponte/kernel';
import { lowerCaseUuid } from '@ponte/kernel';
import { compileValidator } from './compiled-validator';
import type { CompiledValidator, UnknownMembers } from './compiled-validator';
import { violationsOf } from './violations';
import { isPlainObject, memberDescriptions, memberNames, nestedShapes, optionalMembers } from './members';
import type { Shape } from './members';

/** Rules for a body in addition to those for each member. */
export interface BodyForm {
  /** Expands a shorthand before validation. Values that it does not recognize are returned unchanged. */
  readonly prepare?: (value: unknown) => unknown;
  /** Violations of format across members, for values of any shape. Members of a wrong type are ignored. */
  readonly violations?: (value: unknown) => readonly Violation[];
}

/** Validates values against a shape: quickly if they are valid, with every violation if they are not. */
export class ShapeCheck {
  readonly names: readonly string[];
  private readonly accept: CompiledValidator;
  /** The members that are UUIDs. */
  private readonly ids: readonly string[];
  private readonly removeNulls: NullRemover;

  constructor(
    private readonly shape: Shape,
    private readonly unknown: UnknownMembers,
    private readonly form: BodyForm = {},
  ) {
    this.names = memberNames(shape);
    this.accept = compileValidator(shape, unknown);
    this.removeNulls = nullRemover(shape);
    this.ids = [...memberDescriptions(shape)]
      .filter(([, { schema }]) => schema['format'] === 'uuid')
      .map(([name]) => name);
  }

  /** Empty if the value has the shape. */
  violations(value: unknown): readonly Violation[] {
    const violations = this.accept(value) ? NONE : violationsOf(this.shape, value, this.unknown);
    const further = this.form.violations?.(value) ?? NONE;
    if (further.length === 0) return violations;
    const reported = new Set(violations.map(({ path }) => path));
    return [...violations, ...further.filter(({ path }) => !reported.has(path))];
  }

  /**
   * Prepares a value for validation: expands shorthands, removes optional members that are `null` (contract: `null`
   * means absent) and converts UUIDs, which are accepted in any case, to lower case. May change the value in place.
   */
  prepare(value: unknown): unknown {
    const whole = this.form.prepare ? this.form.prepare(value) : value;
    this.removeNulls(whole);
    if (this.ids.length > 0 && isPlainObject(whole)) this.lowerIds(whole);
    return whole;
  }

  private lowerIds(value: Record<string, unknown>): void {
    for (const name of this.ids) {
      const id = value[name];
      if (typeof id === 'string') value[name] = lowerCaseUuid(id);
    }
  }
}

const NONE: readonly Violation[] = [];

class Nothing {}

/** Accepts only an object without members. */
export const NO_MEMBERS = new ShapeCheck(Nothing, 'refuse');

/** Changes the value in place. */
type NullRemover = (value: unknown) => void;

interface NestedMember {
  readonly name: string;
  readonly list: boolean;
  readonly remove: NullRemover;
}

/**
 * Removes every optional member that is `null`, at any depth of the shape, because in a request null means absent. A
 * required null member stays and is refused. Values of another type than the shape's are left unchanged.
 */
function nullRemover(shape: Shape): NullRemover {
  const optional = optionalMembers(shape);
  const nested: NestedMember[] = [...nestedShapes(shape)].map(([name, inner]) => ({
    name,
    list: inner.list,
    remove: nullRemover(inner.shape),
  }));
  return (value) => {
    if (!isPlainObject(value)) return;
    for (const name of optional) if (value[name] === null) delete value[name];
    for (const { name, list, remove } of nested) {
      const inner = Object.hasOwn(value, name) ? value[name] : undefined;
      if (list && Array.isArray(inner)) inner.forEach(remove);
      else if (!list) remove(inner);
    }
  };
}
