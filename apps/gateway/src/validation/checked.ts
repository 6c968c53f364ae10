import type { Violation } from '@ponte/kernel';
import { lowerCaseUuid } from '@ponte/kernel';
import { compileValidator, memberNames } from './compiled-validator';
import type { CompiledValidator, UnknownMembers } from './compiled-validator';
import { violationsOf } from './violations';
import { memberDescriptions } from './members';
import type { Shape } from './members';
import { nullRemover } from './nulls';
import type { NullRemover } from './nulls';
import { isPlainObject } from './plain-object';

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
