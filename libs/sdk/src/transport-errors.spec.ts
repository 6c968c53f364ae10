import { isApiError, PonteConnectionError, PonteTimeoutError, ValidationError } from './index';
import type { PonteApiError } from './index';
import { cut, refusal, silence } from './testing/scripted-server';
import { ACCOUNT, QUOTE, caught, clientUnderTest } from './testing/client-under-test';

const { server, client, keys } = clientUnderTest();

describe('an error of the SDK', () => {
  it('is typed by status and code, and lists every violation and the request', async () => {
    const details = [{ path: 'source-amount', code: 'amount-below-minimum', message: 'The amount is too small.' }];
    server.behave(refusal(422, 'amount-below-minimum', {}, details));
    const error = await caught(client().createQuote(ACCOUNT, QUOTE, { idempotencyKey: 'k1' }));
    expect(error).toBeInstanceOf(ValidationError);
    expect([isApiError(error), isApiError(error, 'amount-below-minimum'), isApiError(error, 'quote-expired')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(error).toMatchObject({
      requestId: 'request-1',
      details,
      idempotencyKey: 'k1',
      message: 'It is amount-below-minimum.',
    });
  });

  it('contains the idempotency key if the connection was lost, because the request may have been processed', async () => {
    server.behave(cut);
    const error = (await caught(client({ maxRetries: 1 }).createQuote(ACCOUNT, QUOTE))) as PonteConnectionError;
    expect(error).toBeInstanceOf(PonteConnectionError);
    expect(error.idempotencyKey).toBe(keys()[0]);
    expect(server.arrived).toHaveLength(2);
  });

  it('is a timeout error if an attempt is not answered in time', async () => {
    server.behave(silence);
    const error = await caught(client({ maxRetries: 1, timeoutMs: 1_000 }).createQuote(ACCOUNT, QUOTE));
    expect(error).toBeInstanceOf(PonteTimeoutError);
    expect(server.arrived).toHaveLength(2);
  });

  it('is also thrown for an incomplete body and for one that is not JSON', async () => {
    server.behave((response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"id":');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    expect(await caught(client({ maxRetries: 0 }).getAccount(ACCOUNT))).toBeInstanceOf(PonteConnectionError);
    server.behave((response) => void response.end('<html>'));
    expect(await caught(client().getAccount(ACCOUNT))).toMatchObject({
      code: 'unreadable-response',
    } satisfies Partial<PonteApiError>);
  });

  it("has the signal's reason as its cause when the caller aborts, before, during and between attempts", async () => {
    const reason = new Error('no longer needed');
    const aborted = { name: 'PonteAbortError', cause: reason, idempotencyKey: null, mayHaveBeenProcessed: false };
    const during = new AbortController();
    server.behave(() => during.abort(reason));
    expect(await caught(client().getAccount(ACCOUNT, { signal: AbortSignal.abort(reason) }))).toMatchObject(aborted);
    expect(server.arrived).toEqual([]);
    expect(await caught(client().getAccount(ACCOUNT, { signal: during.signal }))).toMatchObject(aborted);
    server.behave(refusal(429, 'rate-limited', { 'retry-after': '30' }));
    const between = new AbortController();
    setTimeout(() => between.abort(reason), 50);
    expect(await caught(client().getAccount(ACCOUNT, { signal: between.signal }))).toMatchObject(aborted);
  });
});
