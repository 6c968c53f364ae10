import type { Type } from '@nestjs/common';
import { Inject, Optional } from '@nestjs/common';

/** A token that nothing provides. */
const NOTHING = Symbol('Nothing');

/**
 * Injects an instance of the class into a parameter of the constructor, or undefined if no class is given. A class that
 * is given but not provided is an error, which `@Optional()` alone would hide.
 */
export const InjectGiven =
  (given: Type<unknown> | undefined): ParameterDecorator =>
  (target, key, index) => {
    Inject(given ?? NOTHING)(target, key, index);
    if (given === undefined) Optional()(target, key, index);
  };
