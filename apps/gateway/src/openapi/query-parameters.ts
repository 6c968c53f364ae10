import { ApiQuery } from '@nestjs/swagger';
import { fieldDescriptions } from '../validation/fields';
import type { Shape } from '../validation/fields';

/**
 * The fields of a query's shape as parameters with their complete schemas. Given the class instead, the document would
 * lose the lists of values.
 */
export const queryParameters = (shape: Shape): MethodDecorator[] =>
  [...fieldDescriptions(shape)].map(([name, { schema, description, required }]) =>
    ApiQuery({ name, description, required, schema: schema as never }),
  );
