import type { ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';

/**
 * Rethrows what a handler throws, because Nest's own filter would turn a refusal into "Internal server error". A caller
 * on the bus gets the error itself, and Fastify's error handler converts a route's error to an API error. Filters that
 * are registered later, globally or on a controller, run first.
 */
@Catch()
export class RethrowFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}
