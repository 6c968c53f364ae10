import type { KafkaJSError } from 'kafkajs';
import { KafkaJSNonRetriableError } from 'kafkajs';
import { createErrorFromCode } from 'kafkajs/src/protocol/error';
import { isRejected, NotSent } from '../send-failures';

/** The failure of a message to which the brokers answered with this error code of Kafka. */
function failedWith(code: number): NotSent {
  const answer: KafkaJSError = createErrorFromCode(code);
  const error = Object.assign(new KafkaJSNonRetriableError(answer.message), { cause: answer });
  return new NotSent('the brokers rejected the message', { cause: error });
}

describe('a message that the brokers do not accept', () => {
  it('is rejected when it is too large or malformed', () => {
    expect([10, 87].map((code) => isRejected(failedWith(code)))).toEqual([true, true]);
  });

  it('is not rejected when a broker fails unexpectedly, for example because its disk is full', () => {
    expect(isRejected(failedWith(-1))).toBe(false);
  });
});
