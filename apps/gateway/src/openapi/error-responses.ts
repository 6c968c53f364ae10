import { ApiResponse } from '@nestjs/swagger';
import { problemOf } from '../errors/catalogue';
import type { Problem } from '../errors/problem';
import { ErrorDto } from './error.dto';

/** The error responses of an operation, one per status, with an example for each code. */
export function errorResponses(codes: readonly string[]): MethodDecorator[] {
  const byStatus = new Map<number, Problem[]>();
  for (const code of new Set(codes)) {
    const problem = problemOf(code);
    byStatus.set(problem.status, [...(byStatus.get(problem.status) ?? []), problem]);
  }
  return [...byStatus].sort(([a], [b]) => a - b).map(([status, problems]) => ApiResponse({
    status,
    type: ErrorDto,
    description: problems.map(({ code }) => `\`${code}\``).join(', '),
    examples: Object.fromEntries(problems.map((problem) => [problem.code, { summary: problem.message, value: errorExample(problem) }])),
  }));
}

const PATHS: Readonly<Record<string, string>> = {
  'missing-field': 'source-asset', 'unknown-field': 'state', 'invalid-type': 'source-asset', 'invalid-format': 'quote-id', 'invalid-enum-value': 'target-asset',
  'amount-must-be-string': 'source-amount', 'invalid-cursor': 'cursor', 'invalid-limit': 'limit',
};

/** What an answer with this code looks like. */
export function errorExample({ status, type, code, message }: Problem): ErrorDto {
  const details = status === 400 || status === 422 ? { details: [{ path: PATHS[code] ?? '', code, message }] } : {};
  return { error: { type, message, code, ...details } };
}
