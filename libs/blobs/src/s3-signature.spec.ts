import { signedHeaders } from './s3-signature';

const NOW = Date.UTC(2026, 2, 1, 12);

describe("the signature, against the examples of S3's documentation", () => {
  const EXAMPLE = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  };
  const sign = (method: 'GET' | 'PUT', url: string, headers: Record<string, string>, body = '') =>
    signedHeaders(
      { method, url: new URL(url), headers, body: Buffer.from(body) },
      'us-east-1',
      EXAMPLE,
      Date.UTC(2013, 4, 24),
    )['authorization'];

  it.each([
    [
      'reading an object',
      sign('GET', 'https://examplebucket.s3.amazonaws.com/test.txt', { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'writing one',
      sign(
        'PUT',
        'https://examplebucket.s3.amazonaws.com/test%24file.text',
        { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        'Welcome to Amazon S3.',
      ),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'a query',
      sign('GET', 'https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J', {}),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s', (_, authorization, signature) => {
    expect(authorization).toContain(`Signature=${signature}`);
  });

  it('includes the token of temporary credentials', () => {
    const headers = signedHeaders(
      { method: 'GET', url: new URL('https://s3.example/b/x'), headers: {}, body: Buffer.alloc(0) },
      'sa-east-1',
      { ...EXAMPLE, sessionToken: 'token' },
      NOW,
    );
    expect(headers).toMatchObject({
      'x-amz-security-token': 'token',
      authorization: expect.stringContaining(
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,',
      ),
    });
  });
});
