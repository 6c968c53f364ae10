import { Ponte, PonteAbortError, PonteConnectionError, PonteError } from './index';
import type { PonteOptions } from './index';
import type { Behaviour } from './testing/scripted-server';
import { cut, json, refusal, ScriptedServer, silence } from './testing/scripted-server';

const WITHDRAWAL = { asset: 'fiat/brl', amount: '3.00', method: 'pix' } as never;

let server: ScriptedServer;
beforeAll(async () => {
  server = await new ScriptedServer().start();
});
afterAll(() => server.stop());

const client = (maxRetries: number): Ponte =>
  new Ponte({ baseUrl: server.baseUrl, apiKey: 'sk_test_secret', maxRetries } as PonteOptions);
const sentKey = () => server.arrived.at(-1)?.headers['idempotency-key'];

const errorOf = async (call: PromiseLike<unknown>): Promise<PonteError> => {
  const error: unknown = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof PonteError) return error;
  throw new Error(`not an error of the package: ${String(error)}`);
};

/** The error of a withdrawal that gets these responses, one per attempt. */
const errorAfter = (...responses: Behaviour[]): Promise<PonteError> => {
  server.behave(...responses);
  return errorOf(client(responses.length - 1).createWithdrawal('a', WITHDRAWAL));
};

describe('a write that fails', () => {
  it.each<[string, Behaviour[]]>([
    ['a lost connection', [cut]],
    ['500', [refusal(500, 'internal-error')]],
    ['503', [refusal(503, 'service-unavailable')]],
    ['504 of a proxy', [json('gateway timeout', 504)]],
    ['408', [refusal(408, 'request-timeout')]],
    ['409 of a request that still runs', [refusal(409, 'idempotency-in-progress')]],
    ['a success that cannot be read', [(response) => void response.end('<html>')]],
    ['429 after a lost connection', [cut, refusal(429, 'rate-limited')]],
    ['401 after a lost connection', [cut, refusal(401, 'revoked-api-key')]],
    ['403 after 503', [refusal(503, 'service-unavailable'), refusal(403, 'account-access-denied')]],
    ['403 of a proxy after a lost connection', [cut, json('forbidden', 403)]],
  ])('has an unknown outcome and names its key after %s', async (_, responses) => {
    expect(await errorAfter(...responses)).toMatchObject({ mayHaveBeenProcessed: true, idempotencyKey: sentKey() });
  });

  it.each<[string, Behaviour[]]>([
    ['422', [refusal(422, 'insufficient-balance')]],
    ['401', [refusal(401, 'revoked-api-key')]],
    ['429', [refusal(429, 'rate-limited')]],
    ['422 to the same key after a lost connection', [cut, refusal(422, 'insufficient-balance')]],
    ['400 after a lost connection', [cut, refusal(400, 'invalid-format')]],
    ['a redirect', [json({}, 302, { location: '/' })]],
  ])('was not processed after %s', async (_, responses) => {
    expect(await errorAfter(...responses)).toMatchObject({ mayHaveBeenProcessed: false, idempotencyKey: sentKey() });
  });

  it('was not processed if nothing could be sent', async () => {
    expect(await errorOf(client(0).getAccount(''))).toMatchObject({
      mayHaveBeenProcessed: false,
      idempotencyKey: null,
    });
  });
});

describe('a read that fails', () => {
  it('changes nothing, so its outcome is not unknown', async () => {
    server.behave(cut);
    const error = await errorOf(client(0).getAccount('a'));
    expect([error instanceof PonteConnectionError, error.mayHaveBeenProcessed]).toEqual([true, false]);
  });
});

describe('a write that the caller aborts', () => {
  const reason = new Error('deadline');
  const aborted = async (during: Behaviour, controller: AbortController): Promise<PonteError> => {
    server.behave(during);
    return errorOf(client(4).createWithdrawal('a', WITHDRAWAL, { signal: controller.signal, idempotencyKey: 'k1' }));
  };

  it('keeps its key if the request was sent, because it may have been processed', async () => {
    const controller = new AbortController();
    const error = await aborted((response, request) => {
      silence(response, request);
      controller.abort(reason);
    }, controller);
    expect(error).toBeInstanceOf(PonteAbortError);
    expect(error).toMatchObject({ cause: reason, idempotencyKey: 'k1', mayHaveBeenProcessed: true });
    expect(error.message).toBe('POST /api/v1/accounts/a/withdrawals was aborted; it may have been processed');
  });

  it('was not processed if it was aborted before it was sent', async () => {
    const controller = new AbortController();
    controller.abort(reason);
    const error = await aborted(silence, controller);
    expect(error).toMatchObject({ cause: reason, idempotencyKey: 'k1', mayHaveBeenProcessed: false });
    expect(server.arrived).toEqual([]);
  });

  it.each([
    ['was not processed if every attempt so far was refused', refusal(429, 'rate-limited'), false],
    ['may have been processed by an attempt that failed', refusal(503, 'unavailable'), true],
  ])('between two attempts %s', async (_, response, mayHaveBeenProcessed) => {
    const controller = new AbortController();
    server.behave(response);
    // The delay before the next attempt is random, so this is called when the response has been read.
    const random = jest.spyOn(Math, 'random').mockImplementation(() => {
      controller.abort(reason);
      return 0;
    });
    const error = await errorOf(client(4).createWithdrawal('a', WITHDRAWAL, { signal: controller.signal }));
    random.mockRestore();
    expect(server.arrived).toHaveLength(1);
    expect(error).toMatchObject({ name: 'PonteAbortError', cause: reason, mayHaveBeenProcessed });
  });
});

describe('a deletion', () => {
  const deleted = (...responses: Behaviour[]) => {
    server.behave(...responses);
    return client(4).deleteWebhookEndpoint('a', 'e');
  };

  it.each([
    ['was lost', cut],
    ['was an error of the service', refusal(500, 'internal-error')],
  ])('succeeds if the response to its first attempt %s and the next attempt finds nothing', async (_, first) => {
    await expect(deleted(first, refusal(404, 'webhook-endpoint-not-found'))).resolves.toBeUndefined();
    expect(server.arrived).toHaveLength(2);
  });

  it.each<[string, Behaviour[]]>([
    ['the first attempt finds nothing', [refusal(404, 'webhook-endpoint-not-found')]],
    ['the first attempt was refused', [refusal(429, 'rate-limited'), refusal(404, 'webhook-endpoint-not-found')]],
    ['the route is unknown', [cut, refusal(404, 'route-not-found')]],
    ['the 404 is not from the API', [cut, json('not here', 404)]],
  ])('fails if %s', async (_, responses) => {
    await expect(deleted(...responses)).rejects.toMatchObject({ status: 404 });
  });
});
