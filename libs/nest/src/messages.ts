import { EventPattern } from '@nestjs/microservices';

const SEPARATOR = ' -> ';
const TYPES = ' : ';

/**
 * Declares a handler for the events of `service`, for the consumer group `group`; one handler per pair. With `types`,
 * only events of these types are passed to it; {@link typesHandledBy} returns the types that policies need.
 */
export const Consumes = (service: string, group: string, types?: readonly string[]): MethodDecorator =>
  EventPattern(`${service}.events${SEPARATOR}${group}${types ? TYPES + types.join(',') : ''}`);

/** Parses the pattern that {@link Consumes} writes; undefined for any other pattern. */
export function consumption(
  pattern: string,
): { service: string; group: string; types?: readonly string[] } | undefined {
  const [events, consumer] = pattern.split(SEPARATOR);
  const [group, types] = consumer?.split(TYPES) ?? [];
  if (!events?.endsWith('.events') || !group) return undefined;
  return {
    service: events.slice(0, -'.events'.length),
    group,
    ...(types === undefined ? {} : { types: types.split(',') }),
  };
}
