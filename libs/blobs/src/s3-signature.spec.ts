import { s3Signer } from './s3-signature';
import { expectedHeaders } from './testing/expected-signature';

const NOW = Date.UTC(2026, 2, 1, 12);

describe("the signature, against the examples of S3's documentation", () => {
  const EXAMPLE = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  };
  const request = (method: 'GET' | 'PUT', url: string, headers: Record<string, string>, body = '') =>
    ({ method, url: new URL(url), headers, body: Buffer.from(body) }) as const;

  it.each([
    [
      'reading an object',
      request('GET', 'https://examplebucket.s3.amazonaws.com/test.txt', { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'the lifecycle',
      request('GET', 'https://examplebucket.s3.amazonaws.com/?lifecycle=', {}),
      'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
    ],
    [
      'a query',
      request('GET', 'https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J', {}),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s', async (_, example, signature) => {
    const signed = await s3Signer('us-east-1', EXAMPLE)(example, Date.UTC(2013, 4, 24));
    expect(signed['authorization']).toContain(`Signature=${signature}`);
    expect(signed).toEqual(expectedHeaders(example, 'us-east-1', EXAMPLE, Date.UTC(2013, 4, 24)));
  });

  it('writing an object, which the example signs with a `date` header that the library leaves out', async () => {
    const headers = { 'x-amz-storage-class': 'REDUCED_REDUNDANCY' };
    const write = (more: Record<string, string>) =>
      request('PUT', 'https://examplebucket.s3.amazonaws.com/test%24file.text', more, 'Welcome to Amazon S3.');
    const at = Date.UTC(2013, 4, 24);
    const dated = write({ ...headers, date: 'Fri, 24 May 2013 00:00:00 GMT' });
    expect(expectedHeaders(dated, 'us-east-1', EXAMPLE, at)['authorization']).toContain(
      'Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    );
    expect(await s3Signer('us-east-1', EXAMPLE)(write(headers), at)).toEqual(
      expectedHeaders(write(headers), 'us-east-1', EXAMPLE, at),
    );
  });

  it('includes the token of temporary credentials', async () => {
    const sign = s3Signer('sa-east-1', { ...EXAMPLE, sessionToken: 'token' });
    expect(await sign(request('GET', 'https://s3.example/b/x', {}), NOW)).toMatchObject({
      'x-amz-security-token': 'token',
      authorization: expect.stringContaining(
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,',
      ),
    });
  });
});
