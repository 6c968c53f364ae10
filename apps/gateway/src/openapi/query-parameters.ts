import { ApiQuery } from '@nestjs/swagger';
import { memberDescriptions } from '../validation/members';
import type { Shape } from '../validation/members';

/**
 * The fields of a query's shape as parameters with their complete schemas. Given the class instead, the document would
 * lose the lists of values.
 */
export const queryParameters = (shape: Shape): MethodDecorator[] =>
  [...memberDescriptions(shape)].map(([name, { schema, description, required }]) =>
    ApiQuery({ name, description, required, schema: schema as never }),
  );
