import { readChecksConfig } from './checks.config';

const callback = { secrets: ['sixteen characters or more'] };
const S3 = { 'bucket-url': 'https://s3.example/files', region: 'sa-east-1', 'access-key-id': 'AK', 'secret-access-key': 'TOPSECRET' };
const screening = (more: object = {}) => JSON.stringify({ url: 'https://vendor.example/screen', headers: { authorization: 'Bearer TOPSECRET' }, ...more });
const liveness = (more: object = {}) => JSON.stringify([{ name: 'provider-1', 'result-url': 'https://vendor.example/{id}', ...more }]);

describe('the configuration of the checks', () => {
  it('the sandbox runs with nothing: made-up lists, the simulator, no door', () => {
    expect(readChecksConfig({}, 'sandbox')).toEqual({
      lists: [], builtInLists: true, threshold: 80, listsEveryMs: 60_000, screeningVendor: null, livenessVendors: null, callbacks: null, vendorTimeoutMs: 10_000, blobsFolder: null, blobsBucket: null,
    });
  });

  it('reads lists, vendors and the door', () => {
    const env = {
      SCREENING_LISTS: 'un-consolidated=/lists/un.xml, pep=/lists/a=b.xml', SCREENING_THRESHOLD: '90', SCREENING_VENDOR: screening({ fields: { hits: 'data.hits' }, 'best-score': 1 }),
      LIVENESS_VENDORS: liveness({ passed: ['GREEN'], callback: { ...callback, 'signature-header': 'X-Sig' } }), VENDOR_CALLBACKS_LISTEN: '[::1]:8443', BLOBS_FOLDER: '/blobs',
      BLOBS_S3: JSON.stringify(S3),
    };
    expect(readChecksConfig(env, 'production')).toMatchObject({
      lists: [{ name: 'un-consolidated', path: '/lists/un.xml' }, { name: 'pep', path: '/lists/a=b.xml' }], builtInLists: false, threshold: 90,
      screeningVendor: { url: 'https://vendor.example/screen', fields: { hits: 'data.hits' }, bestScore: 1, callback: null },
      livenessVendors: [{ name: 'provider-1', passed: ['green'], failed: null, callback: { timestampHeader: 'x-timestamp', signatureHeader: 'x-sig' } }],
      callbacks: { host: '::1', port: 8443 }, blobsFolder: '/blobs',
      blobsBucket: { bucketUrl: 'https://s3.example/files', region: 'sa-east-1', credentials: { accessKeyId: 'AK', secretAccessKey: 'TOPSECRET', sessionToken: null } },
    });
  });

  it.each<[string, Record<string, string>, string]>([
    ['production without lists', { LIVENESS_VENDORS: '[]' }, 'SCREENING_LISTS'], ['production that would simulate liveness', { SCREENING_LISTS: 'a=/b' }, 'LIVENESS_VENDORS'],
  ])('does not start: %s', (_, env, name) => { expect(() => readChecksConfig(env, 'production')).toThrow(name); });

  it.each<[string, Record<string, string>]>([
    ['SCREENING_LISTS', { SCREENING_LISTS: '/TOPSECRET.xml' }], ['SCREENING_LISTS', { SCREENING_LISTS: 'a=/b,a=/c' }], ['SCREENING_THRESHOLD', { SCREENING_THRESHOLD: '10' }],
    ['SCREENING_LISTS_MS', { SCREENING_LISTS_MS: 'often' }], ['SCREENING_VENDOR', { SCREENING_VENDOR: 'TOPSECRET' }], ['SCREENING_VENDOR', { SCREENING_VENDOR: '[]' }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ url: 'ftp://TOPSECRET' }) }], ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ TOPSECRET: 1 }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ headers: { a: 1 } }) }], ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ headers: 'TOPSECRET' }) }], ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ fields: { else: 'x' } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ 'best-score': 0 }) }], ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ callback: { secrets: ['short'] } }) }],
    ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ callback: { secrets: [] } }) }], ['SCREENING_VENDOR', { SCREENING_VENDOR: screening({ callback: { ...callback, 'signature-header': 'a b' } }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: '{}' }], ['LIVENESS_VENDORS', { LIVENESS_VENDORS: liveness({ 'result-url': 'https://vendor.example/' }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: liveness({ name: '../x' }) }], ['LIVENESS_VENDORS', { LIVENESS_VENDORS: liveness({ passed: 'yes' }) }],
    ['LIVENESS_VENDORS', { LIVENESS_VENDORS: `[${liveness().slice(1, -1)},${liveness().slice(1, -1)}]` }], ['VENDOR_CALLBACKS_LISTEN', { SCREENING_VENDOR: screening({ callback }) }],
    ['BLOBS_S3', { BLOBS_S3: JSON.stringify({ ...S3, region: '' }) }], ['BLOBS_S3', { BLOBS_S3: JSON.stringify({ ...S3, 'bucket-url': 's3://files' }) }],
    ['VENDOR_CALLBACKS_LISTEN', { VENDOR_CALLBACKS_LISTEN: '8443' }], ['VENDOR_TIMEOUT_MS', { VENDOR_TIMEOUT_MS: '1' }],
  ])('a mistake in %s stops the start, and is not quoted: %o', (name, env) => {
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
