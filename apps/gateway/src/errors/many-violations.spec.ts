import type { Violation } from '@ponte/kernel';
import { pino } from 'pino';
import { shapeError } from './api-error';
import { describeError } from './describe';

const logger = pino({ level: 'silent' });
const bodyOf = (violations: readonly Violation[]) =>
  describeError(shapeError(violations), { 'correlation-id': 'request-1' }, logger).body.error;

describe('an error with many violations', () => {
  it('lists at most 100 violations, and says how many there are', () => {
    const violations = Array.from({ length: 101 }, (_, at): Violation => ({
      code: 'unknown-field',
      path: `a${at}`,
      message: 'is not accepted by this operation',
    }));
    const error = bodyOf(violations);
    expect(error.message).toBe(
      '`a0` is not accepted by this operation. There are 101 violations, and `details` lists the first 100.',
    );
    expect(error.details?.map(({ path }) => path)).toEqual(violations.slice(0, 100).map(({ path }) => path));
    expect(bodyOf(violations.slice(1))).toMatchObject({
      message: '`a1` is not accepted by this operation.',
      details: { length: 100 },
    });
  });
});
