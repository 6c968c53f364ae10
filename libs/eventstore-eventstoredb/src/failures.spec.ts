import { AppendOutcomeUnknown } from '@ponte/event-sourcing';
import { appendFailure, asksForAnotherNode } from './failures';

/** As grpc reports it. */
const exhausted = (details: string) =>
  Object.assign(new Error(`8 RESOURCE_EXHAUSTED: ${details}`), { code: 8, details });

describe('an append that fails because resources are exhausted', () => {
  it.each([
    'Bandwidth exhausted or memory limit exceeded',
    'Received RST_STREAM with code 11 (Bandwidth exhausted or memory limit exceeded)',
  ])('has an unknown outcome if the connection was ended (%s)', (details) => {
    const error = exhausted(details);
    expect(appendFailure('order-1', 0, error)).toBeInstanceOf(AppendOutcomeUnknown);
    expect(asksForAnotherNode(error)).toBe(true);
  });

  it.each([
    'Received message exceeds the maximum configured message size.',
    'Received message larger than max (17825810 vs. 16777216)',
    'Attempted to send message with a size larger than 16777216',
  ])('is an error of the caller if it is too large (%s)', (details) => {
    const error = exhausted(details);
    expect(appendFailure('order-1', 0, error)).toBeInstanceOf(RangeError);
    expect(asksForAnotherNode(error)).toBe(false);
  });
});
