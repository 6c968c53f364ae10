import { EventPattern } from '@nestjs/microservices';

const SEPARATOR = ' -> ';
const TYPES = ' : ';

/**
 * A handler of the events of `service`, for the consumer group `group`. One per pair. With `types` only those are
 * handed over; {@link typesHandledBy} tells them of policies.
 */
export const Consumes = (service: string, group: string, types?: readonly string[]): MethodDecorator =>
  EventPattern(`${service}.events${SEPARATOR}${group}${types ? TYPES + types.join(',') : ''}`);

/** Reads back what {@link Consumes} wrote. */
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
