import { readBlobsConfig, readLivenessProviders } from '@ponte/nest';
import { readChecksConfig } from './checks.config';

const callback = { secrets: ['sixteen characters or more'] };
const S3 = {
  'bucket-url': 'https://s3.example/files',
  region: 'sa-east-1',
  'access-key-id': 'AK',
  'secret-access-key': 'TOPSECRET',
};
const screening = (more: object = {}) =>
  JSON.stringify({ url: 'https://vendor.example/screen', headers: { authorization: 'Bearer TOPSECRET' }, ...more });
const liveness = (more: object = {}) =>
  JSON.stringify([{ name: 'provider-1', 'result-url': 'https://vendor.example/{id}', ...more }]);

describe('The configuration of the checks', () => {
  it('needs no settings in the sandbox: built-in lists, the simulator, and no callback server', () => {
    expect(readChecksConfig({}, 'sandbox')).toEqual({
      lists: [],
      builtInLists: true,
      threshold: 80,
      listsEveryMs: 60_000,
      screeningVendor: null,
      livenessVendors: null,
      callbacks: null,
      vendorTimeoutMs: 10_000,
    });
  });

  it('reads lists, vendors and the address for callbacks', () => {
    const env = {
      SCREENING_LISTS: 'un-consolidated=/lists/un.xml, pep=/lists/a=b.xml',
      SCREENING_THRESHOLD: '90',
      SCREENING_VENDOR: screening({ fields: { hits: 'data.hits' }, lists: { A: 'pep-a' }, 'best-score': 1 }),
      LIVENESS_VENDORS: liveness({ passed: ['GREEN'], callback: { ...callback, 'signature-header': 'X-Sig' } }),
      VENDOR_CALLBACKS_LISTEN: '[::1]:8443',
      PONTE_LIVENESS_PROVIDERS: 'provider-1',
    };
    expect(readChecksConfig(env, 'production')).toMatchObject({
      lists: [
        { name: 'un-consolidated', path: '/lists/un.xml' },
        { name: 'pep', path: '/lists/a=b.xml' },
      ],
      builtInLists: false,
      threshold: 90,
      screeningVendor: {
        url: 'https://vendor.example/screen',
        fields: { hits: 'data.hits' },
        lists: { A: 'pep-a' },
        bestScore: 1,
        callback: null,
      },
      livenessVendors: [
        {
          name: 'provider-1',
          passed: ['green'],
          failed: ['failed', 'declined', 'rejected', 'spoof'],
          callback: { timestampHeader: 'x-timestamp', signatureHeader: 'x-sig' },
        },
      ],
      callbacks: { host: '::1', port: 8443 },
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['lists are missing', { LIVENESS_VENDORS: '[]' }, 'SCREENING_LISTS'],
    ['no liveness vendors are set', { SCREENING_LISTS: 'a=/b' }, 'LIVENESS_VENDORS'],
  ])('refuses production if %s', (_, env, name) => {
    expect(() => readChecksConfig(env, 'production')).toThrow(name);
  });

  it.each<[string, Record<string, string>]>([
    ['SCREENING_LISTS', { SCREENING_LISTS: '/TOPSECRET.xml' }],
    ['SCREENING_LISTS', { SCREENING_LISTS: 'a=/b,a=/c' }],
    ['SCREENING_LISTS', { SCREENING_LISTS: 'liveness=/TOPSECRET.xml' }],
    ['SCREENING_LISTS', { SCREENING_LISTS: 'name-letters=/TOPSECRET.xml' }],
    ['SCREENING_LISTS', { SCREENING_LISTS: 'un=/b,more-matches=/TOPSECRET.xml' }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ lists: ['TOPSECRET'] }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ lists: { TOPSECRET: 'PEP list' } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ lists: { TOPSECRET: 'liveness' } }) }],
    ['SCREENING_THRESHOLD', { SCREENING_THRESHOLD: '10' }],
    ['SCREENING_LISTS_MS', { SCREENING_LISTS_MS: 'often' }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: 'TOPSECRET' }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: '[]' }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ url: 'ftp://TOPSECRET' }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ TOPSECRET: 1 }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ headers: { a: 1 } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ headers: 'TOPSECRET' }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ fields: { else: 'x' } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ 'best-score': 0 }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ callback: { secrets: ['short'] } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ callback: { secrets: [] } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ callback: { ...callback, 'signature-header': 'a b' } }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: '{}' }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: liveness({ 'result-url': 'https://vendor.example/' }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: liveness({ name: '../x' }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: liveness({ passed: 'yes' }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: `[${liveness().slice(1, -1)},${liveness().slice(1, -1)}]` }],
    ['VENDOR_CALLBACKS_LISTEN', { SCREENING_VENDOR: screening({ callback }) }],
    ['VENDOR_CALLBACKS_LISTEN', { VENDOR_CALLBACKS_LISTEN: '8443' }],
    ['VENDOR_TIMEOUT_MS', { VENDOR_TIMEOUT_MS: '1' }],
  ])('refuses an invalid %s without quoting it: %o', (name, env) => {
    let message = '';
    try {
      readChecksConfig(env, 'sandbox');
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message).toContain(name);
    expect(message).not.toContain('TOPSECRET');
  });
});

describe('The settings shared by the gateway and onboarding', () => {
  it('store files in a folder or in a bucket, but not in both', () => {
    expect(readBlobsConfig({})).toEqual({ folder: null, bucket: null, timeoutMs: 10_000 });
    expect(readBlobsConfig({ BLOBS_FOLDER: '/blobs' })).toMatchObject({ folder: '/blobs', bucket: null });
    expect(
      readBlobsConfig({ BLOBS_S3: JSON.stringify({ ...S3, 'session-token': 't' }), BLOBS_TIMEOUT_MS: '500' }),
    ).toEqual({
      folder: null,
      timeoutMs: 500,
      bucket: {
        bucketUrl: 'https://s3.example/files',
        region: 'sa-east-1',
        credentials: { accessKeyId: 'AK', secretAccessKey: 'TOPSECRET', sessionToken: 't' },
      },
    });
  });

  it.each<[string, Record<string, string>]>([
    ['BLOBS_S3', { BLOBS_S3: JSON.stringify({ ...S3, region: '' }) }],
    ['BLOBS_S3', { BLOBS_S3: JSON.stringify({ ...S3, 'bucket-url': 's3://files' }) }],
    ['BLOBS_S3', { BLOBS_S3: 'TOPSECRET' }],
    ['BLOBS_S3', { BLOBS_S3: '["TOPSECRET"]' }],
    ['BLOBS_S3', { BLOBS_S3: JSON.stringify({ ...S3, TOPSECRET: 1 }) }],
    ['BLOBS_S3', { BLOBS_S3: JSON.stringify(S3), BLOBS_FOLDER: '/blobs' }],
    ['BLOBS_TIMEOUT_MS', { BLOBS_TIMEOUT_MS: '1' }],
  ])('refuse an invalid %s without quoting it: %o', (name, env) => {
    expect(() => readBlobsConfig(env)).toThrow(name);
    expect(() => readBlobsConfig(env)).not.toThrow('TOPSECRET');
  });

  it('need a vendor for each liveness provider that requests may name, and a provider name for each vendor', () => {
    const vendors = (...names: string[]) =>
      JSON.stringify(names.map((name) => ({ name, 'result-url': 'https://vendor.example/{id}' })));
    expect(readLivenessProviders({})).toEqual(['provider-1', 'provider-2', 'provider-3', 'provider-4', 'provider-5']);
    const read = (providers: string, list: string) => () =>
      readChecksConfig({ PONTE_LIVENESS_PROVIDERS: providers, LIVENESS_VENDORS: list }, 'sandbox');
    expect(read('alpha, beta', vendors('beta', 'alpha'))().livenessVendors).toHaveLength(2);
    expect(read('alpha,beta', '[]')().livenessVendors).toEqual([]);
    expect(read('alpha,beta', vendors('alpha'))).toThrow('no vendor for beta');
    expect(read('alpha', vendors('alpha', 'gamma'))).toThrow('lacks gamma');
    for (const bad of [',', 'a b', 'alpha,alpha']) expect(read(bad, '[]')).toThrow('PONTE_LIVENESS_PROVIDERS');
  });
});
