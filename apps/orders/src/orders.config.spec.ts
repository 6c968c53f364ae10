import { readOrdersConfig } from './orders.config';

describe('The settings of orders', () => {
  it('give a Pix code at least the minimum of time to be paid', () => {
    const settings = { ORDERS_FX_BRCODE_SECONDS: '120', ORDERS_MINIMUM_BRCODE_SECONDS: '120' };
    expect(readOrdersConfig(settings)).toMatchObject({ fxBrcodeSeconds: 120, minimumBrcodeSeconds: 120 });
    expect(() => readOrdersConfig({ ...settings, ORDERS_MINIMUM_BRCODE_SECONDS: '121' })).toThrow(
      'ORDERS_FX_BRCODE_SECONDS must not be less than ORDERS_MINIMUM_BRCODE_SECONDS',
    );
  });

  it.each(['0', '86401', '1.5'])('are refused if they are %s seconds', (seconds) => {
    expect(() => readOrdersConfig({ ORDERS_FORGOTTEN_SECONDS: seconds })).toThrow(
      'ORDERS_FORGOTTEN_SECONDS must be a whole number from 1 to 86400',
    );
  });
});
