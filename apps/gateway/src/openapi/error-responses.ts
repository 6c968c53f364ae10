import { ApiResponse } from '@nestjs/swagger';
import { errorDefinitionOf } from '../errors/catalogue';
import type { ErrorDefinition, PublicErrorCode } from '@ponte/kernel';
import { SAMPLE } from '../api/samples';
import { ErrorDto } from './error.dto';
import { pathOfExample } from './error-paths';

/**
 * The error responses of an operation whose body or query has these fields: one per status, with an example for each
 * code. `named`: where the operation takes the ids that may not exist.
 */
export function errorResponses(
  codes: readonly PublicErrorCode[],
  fields: readonly string[],
  named: 'body' | 'path',
): MethodDecorator[] {
  const byStatus = new Map<number, ErrorDefinition[]>();
  for (const code of new Set(codes)) {
    const definition = errorDefinitionOf(code, named);
    byStatus.set(definition.status, [...(byStatus.get(definition.status) ?? []), definition]);
  }
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, problems]) =>
      ApiResponse({
        status,
        type: ErrorDto,
        description: problems.map(({ code }) => `\`${code}\``).join(', '),
        examples: Object.fromEntries(
          problems.map((definition) => [
            definition.code,
            { summary: definition.message, value: errorExample(definition, fields) },
          ]),
        ),
      }),
    );
}

function errorExample({ status, type, code, message }: ErrorDefinition, fields: readonly string[]): ErrorDto {
  const order = code === 'quote-already-accepted' ? { 'order-id': SAMPLE.orderId } : {};
  const details =
    status === 400 || status === 422
      ? { details: [{ path: pathOfExample(code, fields), code, message, ...order }] }
      : {};
  return { error: { type, message, code, ...details } };
}
