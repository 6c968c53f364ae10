import type { Fault } from '@ponte/kernel';
import { lowerCaseUuid } from '@ponte/kernel';
import { compileAcceptor, memberNames } from './acceptor';
import type { Acceptor, UnknownMembers } from './acceptor';
import { faultsOf } from './faults';
import { memberDescriptions } from './members';
import type { Shape } from './members';
import { nullRemover } from './nulls';
import type { NullRemover } from './nulls';
import { isPlainObject } from './plain-object';

/** What a body is held to beyond its members one by one. */
export interface BodyForm {
  /** Writes a shorthand out in full, before anything is judged. Leaves what it does not understand as it is. */
  readonly prepare?: (value: unknown) => unknown;
  /** Faults of form that depend on more than one member; gets values of any shape, and is silent where it cannot tell. */
  readonly faults?: (value: unknown) => readonly Fault[];
}

/** Judges values by a shape: quickly when they are right, with every fault when they are not. */
export class ShapeCheck {
  /** The members that the shape declares. */
  readonly names: readonly string[];
  private readonly accept: Acceptor;
  /** Members that are ids. */
  private readonly ids: readonly string[];
  private readonly removeNulls: NullRemover;

  constructor(private readonly shape: Shape, private readonly unknown: UnknownMembers, private readonly form: BodyForm = {}) {
    this.names = memberNames(shape);
    this.accept = compileAcceptor(shape, unknown);
    this.removeNulls = nullRemover(shape);
    this.ids = [...memberDescriptions(shape)].filter(([, { schema }]) => schema['format'] === 'uuid').map(([name]) => name);
  }

  /** Empty when the value has the shape. */
  faults(value: unknown): readonly Fault[] {
    const faults = this.accept(value) ? NONE : faultsOf(this.shape, value, this.unknown);
    const further = this.form.faults?.(value) ?? NONE;
    if (further.length === 0) return faults;
    const told = new Set(faults.map(({ path }) => path));
    return [...faults, ...further.filter(({ path }) => !told.has(path))];
  }

  /**
   * The value as it is judged: shorthands written out, optional members that are `null` removed (contract: `null` means absent), and ids,
   * which are read in any case, in lower case. What was sent may be changed.
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

const NONE: readonly Fault[] = [];

class Nothing {}

/** Accepts an object without members and nothing else. */
export const NO_MEMBERS = new ShapeCheck(Nothing, 'refuse');
