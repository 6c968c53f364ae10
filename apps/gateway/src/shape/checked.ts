import type { Fault } from '@ponte/kernel';
import { compileAcceptor, memberNames } from './acceptor';
import type { Acceptor, UnknownMembers } from './acceptor';
import { faultsOf } from './faults';
import type { Shape } from './members';

/** Judges values by a shape: quickly when they are right, with every fault when they are not. */
export class ShapeCheck {
  /** The members that the shape declares. */
  readonly names: readonly string[];
  private readonly accept: Acceptor;

  constructor(private readonly shape: Shape, private readonly unknown: UnknownMembers) {
    this.names = memberNames(shape);
    this.accept = compileAcceptor(shape, unknown);
  }

  /** Empty when the value has the shape. */
  faults(value: unknown): readonly Fault[] {
    return this.accept(value) ? NONE : faultsOf(this.shape, value, this.unknown);
  }
}

const NONE: readonly Fault[] = [];

class Nothing {}

/** Accepts an object without members and nothing else. */
export const NO_MEMBERS = new ShapeCheck(Nothing, 'refuse');
