import type { Violation } from '@ponte/kernel';
import { pino } from 'pino';
import { Refusal, refusal, Unavailable, UNAVAILABLE_CODES } from '@ponte/kernel';
import { ApiError, notFound, shapeError } from './api-error';
import { CATALOGUE, findErrorDefinition } from './catalogue';
import { describeError } from './describe';

const logged: string[] = [];
const logger = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) });
const describe_ = (error: unknown) => describeError(error, { 'correlation-id': 'request-1' }, logger);

describe('the catalogue', () => {
  it('lists each code once per status, with a type that matches the status', () => {
    expect(new Set(CATALOGUE.map(({ code, status }) => `${code} ${status}`)).size).toBe(CATALOGUE.length);
    const types: Record<number, string[]> = {
      400: ['invalid-request'],
      401: ['authentication'],
      403: ['permission'],
      404: ['not-found'],
      405: ['invalid-request'],
      406: ['invalid-request'],
      408: ['invalid-request'],
      409: ['idempotency'],
      410: ['gone'],
      413: ['invalid-request'],
      415: ['invalid-request'],
      417: ['invalid-request'],
      422: ['validation', 'idempotency'],
      429: ['rate-limit'],
      431: ['invalid-request'],
      500: ['service'],
      503: ['service'],
    };
    for (const { status, type } of CATALOGUE) expect(types[status]).toContain(type);
  });

  it.each([
    ['malformed-json', 400],
    ['missing-credentials', 401],
    ['nonce-reused', 401],
    ['account-access-denied', 403],
    ['trade-reason-not-enabled', 403],
    ['order-not-found', 404],
    ['quote-not-found', 422],
    ['quote-already-accepted', 422],
    ['insufficient-balance', 422],
    ['idempotency-key-reused', 422],
    ['idempotency-in-progress', 409],
    ['rate-limited', 429],
    ['pricing-unavailable', 503],
  ])('%s is %i', (code, status) => expect(findErrorDefinition(code)?.status).toBe(status));

  it('lists a missing quote under one code: 404 for an id in the path, 422 for one in the body', () => {
    const listed = CATALOGUE.filter(({ code }) => code === 'quote-not-found');
    expect(listed.map(({ status, type }) => `${status} ${type}`)).toEqual(['404 not-found', '422 validation']);
    expect(describe_(notFound('quote-not-found'))).toMatchObject({
      status: 404,
      body: { error: { type: 'not-found' } },
    });
    expect(describe_(refusal('quote-not-found', 'no such quote', 'quote-id')).status).toBe(422);
  });

  it('contains every code of unavailability', () => {
    for (const code of UNAVAILABLE_CODES) expect([code, findErrorDefinition(code)?.code]).toEqual([code, code]);
  });
});

describe('an error response', () => {
  it('contains all violations, and the first one as its own code', () => {
    const violations: Violation[] = [
      { code: 'amount-below-minimum', path: 'source-amount', message: 'too little' },
      { code: 'trade-reason-required', path: 'trade-reason', message: 'is required' },
    ];
    expect(describe_(new Refusal(violations))).toEqual({
      status: 422,
      headers: {},
      body: {
        error: {
          type: 'validation',
          message: 'Too little.',
          code: 'amount-below-minimum',
          details: [
            { path: 'source-amount', code: 'amount-below-minimum', message: 'Too little.' },
            { path: 'trade-reason', code: 'trade-reason-required', message: '`trade-reason` is required.' },
          ],
        },
      },
    });
  });

  it('has the status of the first violation, so that a permission checked first takes precedence', () => {
    const violations: Violation[] = [
      { code: 'trade-reason-not-enabled', path: 'trade-reason', message: 'no' },
      { code: 'amount-below-minimum', path: 'source-amount', message: 'too little' },
    ];
    const { status, body } = describe_(new Refusal(violations));
    expect([status, body.error.type, body.error.details]).toEqual([403, 'permission', undefined]);
    expect(describe_(new Refusal([...violations].reverse())).status).toBe(422);
  });

  it('passes on further fields of a violation, such as the order-id of quote-already-accepted', () => {
    expect(
      describe_(refusal('quote-already-accepted', 'accepted before', 'quote-id', { 'order-id': 'o1' })).body.error
        .details?.[0],
    ).toEqual({ path: 'quote-id', code: 'quote-already-accepted', message: 'Accepted before.', 'order-id': 'o1' });
  });

  it.each([
    new ApiError('idempotency-key-reused'),
    refusal('idempotency-key-reused', 'the idempotency key was used with another body'),
  ])('names the header of an idempotency key that was used before', (error) => {
    expect(describe_(error).body.error.details).toMatchObject([
      { path: 'Idempotency-Key', code: 'idempotency-key-reused', message: expect.stringMatching(/^The .*\.$/) },
    ]);
  });

  it('is 503 for a code that only a newer version of a service knows, so that no idempotency key keeps it', () => {
    const unknown = new Refusal([{ code: 'added-later' as Violation['code'], path: 'amount', message: 'no' }]);
    expect(describe_(unknown)).toMatchObject({
      status: 503,
      headers: { 'retry-after': '60' },
      body: { error: { code: 'added-later', type: 'service' } },
    });
  });

  it('has Retry-After', () => {
    expect(describe_(new Unavailable('rail-unavailable', 'later', 2.2))).toMatchObject({
      status: 503,
      headers: { 'retry-after': '3' },
      body: { error: { code: 'rail-unavailable', type: 'service' } },
    });
    expect(describe_(new ApiError('idempotency-in-progress')).headers).toEqual({ 'retry-after': '1' });
    const limited = refusal('too-many-pix-key-look-ups', 'too many', '', { 'retry-after-seconds': 90 });
    expect(describe_(limited)).toEqual({
      status: 429,
      headers: { 'retry-after': '90' },
      body: { error: { type: 'rate-limit', code: 'too-many-pix-key-look-ups', message: 'Too many.' } },
    });
  });

  it.each(['SQLITE_FULL', 'SQLITE_READONLY', 'SQLITE_IOERR_WRITE', 'ENOSPC', 'EROFS'])(
    'is that of an outage for a disk with %s, without its details, which are logged',
    (code) => {
      const answer = describe_(Object.assign(new Error('/var/lib/ponte/edge.db'), { code }));
      expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
      expect(answer.body.error.code).toBe('service-unavailable');
      expect(JSON.stringify(answer)).not.toContain('edge.db');
      expect(logged.at(-1)).toContain('edge.db');
    },
  );

  it('never contains the details of an unexpected error, which are logged with the request id', () => {
    const { status, body } = describe_(new Error('canary: table accounts has no column'));
    expect([status, body]).toEqual([
      500,
      {
        error: {
          type: 'service',
          message: 'Internal error. When you contact support, quote the X-Request-Id.',
          code: 'internal-error',
        },
      },
    ]);
    expect(logged.at(-1)).toContain('"correlation-id":"request-1"');
    for (const odd of [undefined, null, 'text', 5, {}, Object.create(null)]) expect(describe_(odd).status).toBe(500);
  });

  it.each([
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 415, 415, 'unsupported-media-type'],
    ['FST_ERR_CTP_BODY_TOO_LARGE', 413, 413, 'body-too-large'],
    ['FST_ERR_CTP_INVALID_CONTENT_LENGTH', 400, 400, 'malformed-request'],
    ['FST_ERR_SOMETHING', 500, 500, 'internal-error'],
    // From a caller that disconnects, and from one of our own services.
    ['ECONNRESET', 400, 400, 'malformed-request'],
    ['ECONNRESET', undefined, 500, 'internal-error'],
  ])('has the right code for %s of the HTTP server (%s)', (code, statusCode, status, ours) => {
    const described = describe_(Object.assign(new Error('x'), { code, statusCode }));
    expect([described.status, described.body.error.code]).toEqual([status, ours]);
  });

  it('has details on 400 and 422 even for a violation without a path', () => {
    expect(describe_(new ApiError('malformed-json')).body.error.details).toHaveLength(1);
    expect(
      describe_(shapeError([{ path: 'a', code: 'missing-field', message: 'is required' }])).body.error,
    ).toMatchObject({ code: 'missing-field', message: '`a` is required.' });
    expect(describe_(new ApiError('rate-limited')).body.error.details).toBeUndefined();
  });
});
