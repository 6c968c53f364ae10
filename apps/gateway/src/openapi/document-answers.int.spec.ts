import 'reflect-metadata';
import type { Document, Operation } from './testing/documents';
import { document, hidden, operations, partner, production, texts, useDocuments } from './testing/documents';

useDocuments();

describe('the OpenAPI document, for each audience', () => {
  it('lists the headers of every response', () => {
    expect(Object.keys(document.components.headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'Retry-After', 'Idempotency-Replayed', 'Deprecation', 'Sunset']),
    );
    for (const [name, { responses, security }] of operations()) {
      const limited = (security ?? []).some((scheme) => 'api-key' in scheme);
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const has = (header: string) => header in headers;
        expect([
          name,
          status,
          has('X-Request-Id'),
          has('RateLimit-Limit'),
          has('RateLimit-Remaining'),
          has('RateLimit-Reset'),
        ]).toEqual([name, status, true, limited, limited, limited]);
        expect([name, status, has('Deprecation'), has('Sunset')]).toEqual([
          name,
          status,
          name.includes('/api/v0/'),
          name.includes('/api/v0/'),
        ]);
        expect([name, status, has('Retry-After')]).toEqual([name, status, /409|429|503/.test(status)]);
        expect([name, status, has('Idempotency-Replayed')]).toEqual([
          name,
          status,
          /^(post|patch) /.test(name) && /^2|422/.test(status),
        ]);
        for (const { $ref } of Object.values(headers))
          if ($ref) expect(document.components.headers).toHaveProperty([$ref.replace('#/components/headers/', '')]);
      }
    }
  });

  it('has examples of business errors at the right paths, and the order of an accepted quote', () => {
    const errorsOf = (name: string) =>
      Object.values(operations().find(([, { operationId }]) => operationId === name)?.[1].responses ?? {})
        .flatMap(({ content }) => Object.entries(content?.['application/json']?.examples ?? {}))
        .flatMap(([code, { value }]) => (value.error?.details ?? []).map((violation) => [code, violation] as const));
    const placing = new Map(errorsOf('create-order'));
    expect(placing.get('external-id-already-used')).toMatchObject({ path: 'external-id' });
    expect(placing.get('quote-already-accepted')).toMatchObject({
      path: 'quote-id',
      'order-id': expect.any(String) as string,
    });
    expect(placing.get('payment-method-not-allowed-for-pair')).toMatchObject({ path: 'source-payment-method' });
    expect(placing.get('missing-field')).toMatchObject({ path: 'quote-id' });
    for (const code of ['identifier-country-mismatch', 'invalid-cpf', 'invalid-passport'])
      expect(new Map(errorsOf('create-account')).get(code)).toMatchObject({ path: 'tax-id' });
    expect(new Map(errorsOf('create-quote')).get('amount-below-minimum')).toMatchObject({ path: 'source-amount' });
    const everywhere = ['malformed-json', 'malformed-request', 'limit-exceeded'];
    for (const [name, { operationId, requestBody, parameters }] of operations()) {
      const ofTheWhole =
        requestBody || parameters.some((one) => one.in === 'query') ? everywhere : [...everywhere, 'invalid-type'];
      for (const [code, { path }] of errorsOf(operationId))
        expect([name, code, path !== '']).toEqual([name, code, !ofTheWhole.includes(code)]);
    }
    for (const code of ['insufficient-balance', 'amount-below-minimum', 'amount-above-maximum'])
      expect([code, placing.get(code)]).toMatchObject([code, { path: 'quote-id' }]);
    expect(placing.has('limit-exceeded')).toBe(false);
  });

  it('lists that an account may only be requested, and that the endpoint of a delivery may be deleted', () => {
    const notFound = (name: string) =>
      operations().find(([, { operationId }]) => operationId === name)?.[1].responses['404']?.content?.[
        'application/json'
      ]?.examples;
    expect(notFound('issue-sandbox-certificate')).toHaveProperty('account-not-found');
    expect(notFound('replay-webhook-delivery')).toHaveProperty('webhook-endpoint-not-found');
  });

  it('names only the assets that a path accepts', () => {
    const assets = (name: string) =>
      (operations().find(([, { operationId }]) => operationId === name)?.[1].parameters ?? []).find(
        (one) => one.name === 'asset',
      )?.schema?.enum;
    for (const name of ['create', 'list', 'get'])
      expect([name, assets(`${name}-asset-withdrawal${name === 'list' ? 's' : ''}-v0`)]).toEqual([name, ['brl']]);
    expect(assets('get-balance')).toEqual(['brl', 'usd', 'usdc', 'usdt', 'brlv', 'wbrly', 'brly']);
  });

  it('lists the errors for a body on an operation without one', () => {
    for (const name of ['ping-webhook-endpoint', 'cancel-account-request', 'delete-webhook-endpoint']) {
      const { responses } = operations().find(([, { operationId }]) => operationId === name)?.[1] as Operation;
      const codes = (status: string) => Object.keys(responses[status]?.content?.['application/json']?.examples ?? {});
      expect([codes('400'), codes('413'), codes('415')]).toEqual([
        expect.arrayContaining(['malformed-json', 'unknown-field', 'invalid-type', 'invalid-format']),
        ['body-too-large'],
        ['unsupported-media-type'],
      ]);
    }
  });

  it('describes which responses have the rate-limit headers, and what is checked in a token', () => {
    const { info, components } = document as unknown as {
      info: { description: string };
      components: {
        headers: Record<string, { description: string }>;
        securitySchemes: Record<string, { description: string }>;
      };
    };
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      expect(components.headers[name]?.description).toContain('on every response to a request with a known API key');
    expect(info.description).toContain('with a known API key, errors included');
    expect(components.securitySchemes['signed-token']?.description).toContain('`aud` is not checked');
  });

  it('omits only the sandbox operations in production', () => {
    const isOfSandbox = (name: string) => name.includes('/sandbox/') || name.endsWith('/faults');
    const names = (of: Document) => operations(of).map(([name]) => name);
    expect(JSON.stringify(production)).not.toContain('sandbox-key');
    expect(document.components.securitySchemes).toHaveProperty('sandbox-key');
    for (const [name, { security = [] }] of operations(production))
      expect([name, security.length]).toEqual([name, /errors|state-machines/.test(name) ? 0 : 1]);
    expect(names(production)).toEqual(names(document).filter((name) => !isOfSandbox(name)));
    expect(names(document).filter(isOfSandbox)).toHaveLength(12);
  });

  it('omits the operations of staff and operators for partners', () => {
    expect(partner).not.toMatch(/\/staff|Staff <token>|StaffAccountDto/);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/staff/accounts', '/staff/quotes/{id}']));
  });

  it('is not served for staff on the public port, and neither are metrics', () => {
    expect(hidden).toEqual(Array.from({ length: 8 }, () => 404));
  });

  it('loads nothing from another origin', () => {
    expect(texts['/docs/reference']).not.toMatch(/https?:/);
    expect(texts['/docs/reference/start.js']).not.toMatch(/https?:/);
    expect(texts['/docs/reference/viewer.js']?.length).toBeGreaterThan(500_000);
    expect(texts['/docs/reference/viewer.css']).not.toMatch(/@import|@font-face|url\((?!['"]?data:)/);
  });
});
