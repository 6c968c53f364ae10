import { isPublicAddress, targetRules } from '../endpoints/target.domain';
import { violationsOfUrl } from '../endpoints/endpoint-url.domain';
import { undiciHttp } from './adapters/undici.outgoing-http.adapter';
import { REACHING, INTERNAL } from '../testing/target-addresses';

describe('the URL of a webhook endpoint outside the sandbox', () => {
  it.each([...REACHING, ...INTERNAL])('cannot be https://%s', (host) => {
    expect(violationsOfUrl(`https://${host}/`, targetRules('production'))).toMatchObject([
      { code: 'invalid-format', path: 'url' },
    ]);
  });

  it.each([
    'http://93.184.216.34/',
    'https://93.184.216.34:8443/',
    'https://93.184.216.34:22/',
    'https://user@93.184.216.34/',
    'ftp://93.184.216.34/',
  ])('cannot be %s, and nothing is sent there', async (url) => {
    expect(violationsOfUrl(url, targetRules('production'))).toHaveLength(1);
    const http = undiciHttp({ rules: targetRules('production') });
    expect(await http.post({ url, headers: {}, body: '{}' })).toEqual({ kind: 'failed', reason: 'target-refused' });
    await http.close();
  });

  it('can be a public address or a name, on port 443', () => {
    for (const host of ['93.184.216.34', '[2606:4700::6810:84e5]', 'partner.example', 'partner.example:443']) {
      expect(violationsOfUrl(`https://${host}/hooks?token=1`, targetRules('production'))).toEqual([]);
    }
    expect([
      isPublicAddress('8.8.8.8'),
      isPublicAddress('2a00:1450:4001:81b::200e'),
      isPublicAddress('partner.example'),
      isPublicAddress(''),
    ]).toEqual([true, true, false, false]);
  });
});
