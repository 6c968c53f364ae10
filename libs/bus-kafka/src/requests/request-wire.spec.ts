import { Refusal, refusal, Unavailable } from '@ponte/kernel';
import { answerMessage, correlationOf, readAnswer, readRequest, requestMessage } from './request-wire';
import { received } from '../received-message.testing';

describe('on the wire,', () => {
  const request = {
    pattern: 'p',
    correlation: 'r',
    replyTo: 'replies.x',
    until: 5,
    payload: { n: 1 },
    context: { commandId: 'c', correlationId: 'd', deadline: 5, traceparent: 't' },
  };

  test('a request arrives with its whole context', () => {
    expect(readRequest(received(requestMessage(request, undefined)))).toEqual(request);
    expect(requestMessage(request, 'k').key).toBe('k');
    expect(requestMessage(request, 'k').headers).toMatchObject({ 'correlation-id': 'd', traceparent: 't' });
    expect(
      requestMessage({ ...request, context: { commandId: 'c', correlationId: 'd' } }, 'k').headers,
    ).not.toHaveProperty('traceparent');
  });

  test.each([
    ['without headers', { headers: {} }],
    ['without a value', { value: null }],
    ['that is not JSON', { value: '{' }],
    ['without a context', { value: '{"payload":1}' }],
    [
      'with an invalid deadline',
      { headers: { ...requestMessage(request, undefined).headers, 'ponte-deadline': 'soon' } },
    ],
  ])('a message %s is not a request', (_, wrong) => {
    expect(readRequest(received({ ...requestMessage(request, undefined), ...wrong } as never))).toBeUndefined();
  });

  test('answers arrive unchanged; a malformed answer is an unknown outcome', () => {
    const over = (...given: Parameters<typeof answerMessage>) => {
      const message = received(answerMessage(...given) as never);
      return { correlation: correlationOf(message), answer: readAnswer(message) };
    };
    expect(over('r', { ok: true, reply: { fine: [1, null] } })).toEqual({
      correlation: 'r',
      answer: { ok: true, reply: { fine: [1, null] } },
    });
    expect(over('r', { ok: true, reply: undefined }).answer).toEqual({ ok: true, reply: undefined });
    expect(
      over('r', {
        ok: false,
        error: refusal('amount-below-minimum', 'too little', 'source-amount', { minimum: '10.00' }),
      }).answer,
    ).toMatchObject({
      ok: false,
      error: {
        name: 'Refusal',
        code: 'amount-below-minimum',
        violations: [{ path: 'source-amount', minimum: '10.00' }],
      },
    });
    expect(over('r', { ok: false, error: new Unavailable('rail-unavailable', 'later', 9) }).answer).toMatchObject({
      error: { code: 'rail-unavailable', retryAfterSeconds: 9 },
    });
    for (const value of [null, '', '[]', '{"error":{"kind":"refusal","faults":[]}}', '{"error":null}']) {
      const answer = readAnswer(received({ value }));
      expect(answer).toMatchObject({ ok: false, error: { code: 'service-unavailable' } });
      expect(answer.ok === false && answer.error).not.toBeInstanceOf(Refusal);
    }
  });
});
