import type { Violation } from '@ponte/kernel';
import { lowerCaseUuid } from '@ponte/kernel';
import { compileValidator } from './compiled-validator';
import type { CompiledValidator, UnknownMembers } from './compiled-validator';
import { violationsOf } from './violations';
import { isPlainObject, memberDescriptions, memberNames, nestedShapes, optionalMembers } from './members';
import type { Shape } from './members';

/** What a body is held to beyond its members one by one. */
export interface BodyForm {
  /** Writes a shorthand out in full, before anything is judged. Leaves what it does not understand as it is. */
  readonly prepare?: (value: unknown) => unknown;
  /**
   * Faults of form that depend on more than one member; gets values of any shape, and is silent where it cannot tell.
   */
  readonly violations?: (value: unknown) => readonly Violation[];
}

/** Judges values by a shape: quickly when they are right, with every violation when they are not. */
export class ShapeCheck {
  /** The members that the shape declares. */
  readonly names: readonly string[];
  private readonly accept: CompiledValidator;
  /** Members that are ids. */
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

  /** Empty when the value has the shape. */
  violations(value: unknown): readonly Violation[] {
    const violations = this.accept(value) ? NONE : violationsOf(this.shape, value, this.unknown);
    const further = this.form.violations?.(value) ?? NONE;
    if (further.length === 0) return violations;
    const reported = new Set(violations.map(({ path }) => path));
    return [...violations, ...further.filter(({ path }) => !reported.has(path))];
  }

  /**
   * The value as it is judged: shorthands written out, optional members that are `null` removed (contract: `null` means
   * absent), and ids, which are read in any case, in lower case. What was sent may be changed.
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

/** Accepts an object without members and nothing else. */
export const NO_MEMBERS = new ShapeCheck(Nothing, 'refuse');

/** Changes the value in place. */
type NullRemover = (value: unknown) => void;

interface NestedMember {
  readonly name: string;
  readonly list: boolean;
  readonly remove: NullRemover;
}

/**
 * Removes every optional member that is `null`, at any depth that the shape declares: in a request, null means absent.
 * A required member that is null stays and is refused. Values of another type than the shape's are left as they are.
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
