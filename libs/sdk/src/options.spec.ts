import { generateKeyPairSync, webcrypto } from 'node:crypto';
import { Ponte, PonteConfigurationError } from './index';
import type { CallOptions, PonteOptions } from './index';
import { json, ScriptedServer } from './testing/scripted-server';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

const create = (options: object): Ponte =>
  new Ponte({ baseUrl: 'https://api.example.com', ...options } as PonteOptions);
const refuses = (options: object): void => expect(() => create(options)).toThrow(PonteConfigurationError);

describe('the credentials of a client', () => {
  it.each<[string, object]>([
    ['no credentials', {}],
    ['a variable that is not set', { apiKey: undefined }],
    ['an empty key', { apiKey: '' }],
    ['a key that is not ASCII', { apiKey: 'sk_test_ação' }],
    ['a key with a line break', { apiKey: 'sk_test_1\n' }],
    ['both kinds', { apiKey: 'sk_test_1', keyId: 'ak_test_1', privateKey: PEM }],
    ['a private key without an id', { privateKey: PEM }],
    ['an id without a private key', { keyId: 'ak_test_1' }],
    ['a text that is no private key', { keyId: 'ak_test_1', privateKey: 'y' }],
    ['a KeyObject', { keyId: 'ak_test_1', privateKey }],
    ['a public JWK', { keyId: 'ak_test_1', privateKey: { kty: 'EC', crv: 'P-256' } }],
    ['a JWK of another curve', { keyId: 'ak_test_1', privateKey: { kty: 'EC', crv: 'P-384', d: 'x' } }],
  ])('are refused by the constructor: %s', (_, options) => refuses(options));

  it('may leave out the other kind as undefined', () => {
    expect(() => create({ apiKey: undefined, keyId: 'ak_test_1', privateKey: PEM })).not.toThrow();
    expect(() => create({ apiKey: 'sk_test_1', keyId: undefined, privateKey: undefined })).not.toThrow();
  });

  it('may not be a CryptoKey that cannot sign requests', async () => {
    const generate = async (algorithm: object, usages: ('sign' | 'verify' | 'decrypt' | 'encrypt')[]) =>
      (await webcrypto.subtle.generateKey(algorithm as never, false, usages)) as webcrypto.CryptoKeyPair;
    const curve = await generate({ name: 'ECDSA', namedCurve: 'P-384' }, ['sign', 'verify']);
    refuses({ keyId: 'ak_test_1', privateKey: curve.privateKey });
    const right = await generate({ name: 'ECDSA', namedCurve: 'P-256' }, ['sign', 'verify']);
    refuses({ keyId: 'ak_test_1', privateKey: right.publicKey });
    expect(() => create({ keyId: 'ak_test_1', privateKey: right.privateKey })).not.toThrow();
  });

  it('are never part of the message', () => {
    expect(() => create({ apiKey: 'sk_test_secret\n' })).toThrow(/^(?!.*secret)/s);
  });
});

describe('the settings of a client', () => {
  it.each<[string, object]>([
    ['a time limit of Infinity, which a timer cannot wait for', { timeoutMs: Infinity }],
    ['a time limit of 0', { timeoutMs: 0 }],
    ['a time limit that is no number', { timeoutMs: NaN }],
    ['a number of retries that is no number', { maxRetries: NaN }],
    ['a negative number of retries', { maxRetries: -1 }],
    ['a longest wait that is no number', { maxRetryAfterMs: NaN }],
    ['a URL with a path', { baseUrl: 'https://api.example.com/prefix' }],
    ['a URL with a query', { baseUrl: 'https://api.example.com/?a=1' }],
    ['a URL with a password', { baseUrl: 'https://me:secret@api.example.com' }],
  ])('are refused by the constructor: %s', (_, options) => refuses({ apiKey: 'k', ...options }));

  it('may be a URL with a slash at its end', () => {
    expect(() => create({ apiKey: 'k', baseUrl: 'https://api.example.com/' })).not.toThrow();
  });
});

describe('the options of a call', () => {
  let server: ScriptedServer;
  beforeAll(async () => {
    server = await new ScriptedServer().start();
    server.behave(json({ id: 'q1' }));
  });
  afterAll(() => server.stop());

  it.each<CallOptions>([{ timeoutMs: Infinity }, { timeoutMs: -1 }, { maxRetries: NaN }, { maxRetries: 1.5 }])(
    'are refused before anything is sent: %p',
    async (options) => {
      const ponte = create({ apiKey: 'k', baseUrl: server.baseUrl });
      await expect(ponte.getAccount('a', options)).rejects.toBeInstanceOf(PonteConfigurationError);
      expect(server.arrived).toEqual([]);
    },
  );

  it('may have an observer that fails, which does not change the result', async () => {
    const ponte = create({ apiKey: 'k', baseUrl: server.baseUrl });
    const onResponse = (): void => {
      throw new Error('of the observer');
    };
    expect(await ponte.createQuote('a', {} as never, { onResponse })).toEqual({ id: 'q1' });
  });

  it('of the event log must be times that a timer can wait for', () => {
    const ponte = create({ apiKey: 'k' });
    expect(() => ponte.events('a', { idleTimeoutMs: Infinity })).toThrow(PonteConfigurationError);
    expect(() => ponte.events('a', { pollIntervalMs: NaN })).toThrow(PonteConfigurationError);
  });
});
