import { PRICING_SETTINGS, readPricingConfig } from './pricing.config';

describe('the settings of pricing', () => {
  it.each<[string, Record<string, string>]>([
    ['PONTE_RATES', { PONTE_RATES: 'dice' }],
    ['PONTE_RATES_URL', { PONTE_RATES: 'http' }],
    ['PONTE_RATES_URL', { PONTE_RATES: 'http', PONTE_RATES_URL: 'file:///etc/passwd' }],
    ['PONTE_RATES_BASE', { PONTE_RATES_BASE: '-1' }],
    ['PONTE_RATES_BASE', { PONTE_RATES_BASE: '10001' }],
    ['PONTE_RATES_INTERVAL_MS', { PONTE_RATES: 'http', PONTE_RATES_URL: 'http://rates', PONTE_RATES_INTERVAL_MS: '0' }],
    ['PONTE_RATES_MAX', { PONTE_RATES: 'http', PONTE_RATES_URL: 'http://rates', PONTE_RATES_MAX: '20000' }],
  ])('throw an error that names %s if it is invalid', (name, env) =>
    expect(() => readPricingConfig(env, 'sandbox')).toThrow(name),
  );

  it('include the feeds, and every variable that is read is documented', () => {
    const read = new Set<string>();
    const env = new Proxy<Record<string, string>>(
      {
        PONTE_RATES: 'http',
        PONTE_RATES_URL: 'https://rates.example/usd',
        PONTE_RATES_PATH: 'bid',
        PONTE_RATES_AUTHORIZATION: 'Bearer k',
        PONTE_RATES_REFERENCE_URL: 'https://ptax.example',
        PONTE_RATES_REFERENCE_PATH: 'value',
        PONTE_RATES_REFERENCE_TIME_PATH: 'day',
        PONTE_RATES_REFERENCE_AUTHORIZATION: 'Bearer r',
        PONTE_RATES_SHARE_PRICE_URL: 'https://shares.example',
        PONTE_RATES_SHARE_PRICE_TIME_PATH: 'at',
        PONTE_RATES_SHARE_PRICE_AUTHORIZATION: 'Bearer s',
      },
      {
        get: (target, name: string) => {
          read.add(name);
          return target[name];
        },
      },
    );
    expect(readPricingConfig(env, 'production').rates).toMatchObject({
      kind: 'http',
      usdBrl: { url: 'https://rates.example/usd', path: 'bid', timePath: null, authorization: 'Bearer k' },
      reference: { url: 'https://ptax.example', path: 'value', timePath: 'day', authorization: 'Bearer r' },
      sharePrice: { url: 'https://shares.example', timePath: 'at', authorization: 'Bearer s' },
      intervalMs: 5000,
      timeoutMs: 2000,
    });
    const documented = new Set(PRICING_SETTINGS.map((one) => one.name));
    expect([...read].filter((name) => !documented.has(name))).toEqual([]);
  });
});
