import { applyDecorators, Catch, Controller, UseFilters } from '@nestjs/common';
import type { RpcExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { Observable } from 'rxjs';
import { throwError } from 'rxjs';

/** Nest would turn a refusal into "Internal server error"; the caller of the bus gets it as it was thrown. */
@Catch()
export class AsThrown implements RpcExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/** A controller of messages: patterns in, commands and queries out. */
export const Messages = (): ClassDecorator => applyDecorators(Controller(), UseFilters(AsThrown));

const SEPARATOR = ' -> ';

/** A handler of every event of `service`, for the consumer group `group`. One per pair. */
export const Consumes = (service: string, group: string): MethodDecorator => EventPattern(`${service}.events${SEPARATOR}${group}`);

/** Reads back what {@link Consumes} wrote. */
export function consumption(pattern: string): { service: string; group: string } | undefined {
  const [events, group] = pattern.split(SEPARATOR);
  if (!events?.endsWith('.events') || !group) return undefined;
  return { service: events.slice(0, -'.events'.length), group };
}
