import { RequiredObject, RequiredObjects } from './fields';
import type { Shape } from './fields';

/** A base class for objects whose only required field is another object. */
export function EnvelopeOf<N extends string, T extends object>(
  name: N,
  shape: () => Shape<T>,
  description: string,
): Shape<Record<N, T>> {
  class Envelope {}
  RequiredObject(shape, description)(Envelope.prototype, name);
  return Envelope as Shape<Record<N, T>>;
}

/** A base class for objects whose only required field is a list of objects. */
export function ListOf<N extends string, T extends object>(
  name: N,
  shape: () => Shape<T>,
  description: string,
): Shape<Record<N, T[]>> {
  class List {}
  RequiredObjects(shape, description)(List.prototype, name);
  return List as Shape<Record<N, T[]>>;
}
