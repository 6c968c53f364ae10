import type { ExceptionFilter } from '@nestjs/common';
import { Catch } from '@nestjs/common';

/**
 * Passes on what a handler throws. Nest's own filter would turn a refusal into "Internal server error". The caller of
 * the bus gets the error itself, and Fastify's error handler answers a route's error by the catalogue. Filters that are
 * registered later, globally or on a controller, come first.
 */
@Catch()
export class RethrowFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}
