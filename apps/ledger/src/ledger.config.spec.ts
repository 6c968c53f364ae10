import { readLedgerConfig } from './ledger.config';

const PIX_BANK = {
  LEDGER_PIX_RAIL: 'api-pix',
  LEDGER_PIX_BANK_URL: 'https://bank.example/v2',
  LEDGER_PIX_BANK_TOKEN_URL: 'https://bank.example/token',
  LEDGER_PIX_BANK_CLIENT_ID: 'ponte',
  LEDGER_PIX_BANK_CLIENT_SECRET_FILE: 'secret',
  LEDGER_PIX_BANK_CERTIFICATE_FILE: 'cert',
  LEDGER_PIX_BANK_KEY_FILE: 'key',
};

describe('The settings of the ledger', () => {
  it('have a default for everything in the sandbox', () => {
    expect(readLedgerConfig({}, 'sandbox')).toMatchObject({
      merchantName: 'PONTE PAGAMENTOS SA',
      merchantCity: 'SAO PAULO',
      pollMs: 5000,
    });
  });

  it('are refused with the name of the variable that is invalid', () => {
    for (const [name, value] of [
      ['LEDGER_MERCHANT_NAME', 'x'.repeat(26)],
      ['LEDGER_MERCHANT_CITY', 'SÃO PAULO'],
      ['LEDGER_POLL_MS', '0'],
      ['LEDGER_BANK_OVERLAP_MS', '-1'],
      ['LEDGER_BANK_LATE_MS', '604800001'],
      ['LEDGER_RESUME_MS', 'soon'],
      ['LEDGER_PIX_RAIL', 'paper'],
      ['LEDGER_PAYOUT_RAIL', 'paper'],
      ['LEDGER_PAYOUT_TIMEOUT_MS', '0'],
      ['LEDGER_PIX_BANK_TIMEOUT_MS', '60001'],
      ['LEDGER_PIX_BANK_LIST_DAYS', '101'],
      ['LEDGER_WITHDRAWAL_LIMITS', 'brl=1'],
      ['LEDGER_WITHDRAWAL_LIMITS', 'fiat/brl=1000.005'],
      ['LEDGER_WITHDRAWAL_LIMITS', 'fiat/brl='],
      ['LEDGER_WITHDRAWAL_LIMITS', 'fiat/brl=/'],
      ['LEDGER_PIX_KEY_LOOK_UPS', 'person=20/1000'],
      ['LEDGER_PIX_KEY_LOOK_UPS', 'account=20'],
      ['LEDGER_PIX_KEY_LOOK_UPS', 'account=0/1000'],
      ['LEDGER_PIX_KEY_LOOK_UPS', 'account=20/1000,partner=20/19'],
      ['LEDGER_TOKEN_WITHDRAWALS', 'yes'],
      ['LEDGER_BANK_HOLIDAYS', '2027-02-30'],
    ] as const)
      expect(() => readLedgerConfig({ [name]: value }, 'sandbox')).toThrow(name);
  });

  it('must name the simulator to simulate a bank in production', () => {
    expect(() => readLedgerConfig({}, 'production')).toThrow('LEDGER_PIX_RAIL');
    expect(() => readLedgerConfig({ LEDGER_PIX_RAIL: 'simulator' }, 'production')).toThrow('LEDGER_PAYOUT_RAIL');
    expect(
      readLedgerConfig({ LEDGER_PIX_RAIL: 'simulator', LEDGER_PAYOUT_RAIL: 'simulator' }, 'production').pixKey,
    ).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('are reported together if several are missing or invalid', () => {
    const settings = { LEDGER_PAYOUT_RAIL: 'http', LEDGER_PAYOUT_URL: 'https://bank.example', LEDGER_POLL_MS: '0' };
    let message = '';
    try {
      readLedgerConfig(settings, 'production');
    } catch (error) {
      message = (error as Error).message;
    }
    const [count, ...lines] = message.split('\n');
    expect([count, lines.map((line) => line.split(/[: ]/)[0])]).toEqual([
      '7 settings are wrong:',
      [
        'LEDGER_PIX_RAIL',
        ...['TOKEN_URL', 'CLIENT_ID', 'CLIENT_SECRET_FILE', 'CERTIFICATE_FILE', 'KEY_FILE'].map(
          (name) => `LEDGER_PAYOUT_${name}`,
        ),
        'LEDGER_POLL_MS',
      ],
    ]);
  });

  it('contain daily limits and bank holidays', () => {
    const limits = readLedgerConfig(
      { LEDGER_WITHDRAWAL_LIMITS: 'fiat/brl=5000.00/10, eth-base/usdc=900, eth-base/brlv=/7' },
      'sandbox',
    ).withdrawalLimits;
    expect(limits).toEqual({
      'fiat/brl': { amount: '5000.00', count: 10 },
      'eth-base/usdc': { amount: '900', count: null },
      'eth-base/brlv': { amount: null, count: 7 },
    });
    expect([...readLedgerConfig({ LEDGER_BANK_HOLIDAYS: '2027-12-24,2027-12-31' }, 'sandbox').bankHolidays]).toEqual([
      '2027-12-24',
      '2027-12-31',
    ]);
  });

  it('limit look-ups of Pix keys, in the sandbox only if it is set', () => {
    const limitsOf = (text: string, environment: 'sandbox' | 'production' = 'sandbox') =>
      readLedgerConfig(
        { LEDGER_PIX_KEY_LOOK_UPS: text, LEDGER_PIX_RAIL: 'simulator', LEDGER_PAYOUT_RAIL: 'simulator' },
        environment,
      ).pixKeyLookUps;
    const defaults = { account: { perMinute: 20, burst: 1_000 }, partner: { perMinute: 100, burst: 5_000 } };
    expect(limitsOf('', 'production')).toEqual(defaults);
    expect(limitsOf('')).toEqual({});
    expect(limitsOf('partner=7/20')).toEqual({ partner: { perMinute: 7, burst: 20 } });
  });

  it.each([
    ['LEDGER_PAYOUT', 'LEDGER_PAYOUT_RAIL', 'http', 'payoutBank'],
    ['LEDGER_PIX_BANK', 'LEDGER_PIX_RAIL', 'api-pix', 'pixBank'],
  ] as const)('name the API of a bank in %s_…', (prefix, variable, rail, member) => {
    const bank = {
      [variable]: rail,
      [`${prefix}_URL`]: 'https://bank.example/v2',
      [`${prefix}_TOKEN_URL`]: 'https://bank.example/token',
      [`${prefix}_CLIENT_ID`]: 'ponte',
      [`${prefix}_CLIENT_SECRET_FILE`]: 'secret',
      [`${prefix}_CERTIFICATE_FILE`]: 'cert',
      [`${prefix}_KEY_FILE`]: 'key',
    };
    expect(readLedgerConfig({}, 'sandbox')[member]).toBeNull();
    expect(readLedgerConfig(bank, 'sandbox')[member]).toMatchObject({
      url: 'https://bank.example/v2',
      clientId: 'ponte',
      caFile: null,
      timeoutMs: 5000,
    });
    for (const name of Object.keys(bank).slice(1))
      expect(() => readLedgerConfig({ ...bank, [name]: '' }, 'sandbox')).toThrow(name);
    for (const url of ['http://bank.example', 'https://bank.example/'])
      expect(() => readLedgerConfig({ ...bank, [`${prefix}_URL`]: url }, 'sandbox')).toThrow(`${prefix}_URL`);
  });

  it('contain the scopes and the longest list of a bank with API Pix', () => {
    expect(readLedgerConfig(PIX_BANK, 'sandbox').pixBank).toMatchObject({
      scope: 'cob.read cob.write pix.read pix.write',
      listDays: 30,
    });
    expect(
      readLedgerConfig({ ...PIX_BANK, LEDGER_PIX_BANK_SCOPE: 'pix', LEDGER_PIX_BANK_LIST_DAYS: '7' }, 'sandbox')
        .pixBank,
    ).toMatchObject({ scope: 'pix', listDays: 7 });
  });

  it('contain the address for the callbacks of a bank with API Pix, and the scopes to register it', () => {
    const callbacks = {
      LEDGER_PIX_CALLBACK_URL: 'https://callbacks.example',
      LEDGER_PIX_CALLBACK_LISTEN: '0.0.0.0:9470',
    };
    expect(readLedgerConfig(PIX_BANK, 'sandbox').pixBank?.callbacks).toBeNull();
    expect(readLedgerConfig({ ...PIX_BANK, ...callbacks }, 'sandbox').pixBank).toMatchObject({
      scope: 'cob.read cob.write pix.read pix.write webhook.read webhook.write',
      callbacks: { url: 'https://callbacks.example', listen: { host: '0.0.0.0', port: 9470 } },
    });
    for (const [name, value] of [
      ['LEDGER_PIX_CALLBACK_URL', ''],
      ['LEDGER_PIX_CALLBACK_URL', 'http://callbacks.example'],
      ['LEDGER_PIX_CALLBACK_URL', 'https://callbacks.example/'],
      ['LEDGER_PIX_CALLBACK_LISTEN', ''],
      ['LEDGER_PIX_CALLBACK_LISTEN', '9470'],
    ] as const)
      expect(() => readLedgerConfig({ ...PIX_BANK, ...callbacks, [name]: value }, 'sandbox')).toThrow(name);
    expect(() => readLedgerConfig(callbacks, 'sandbox')).toThrow('unless LEDGER_PIX_RAIL is api-pix');
  });
});
