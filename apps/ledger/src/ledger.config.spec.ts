import { readLedgerConfig } from './ledger.config';

describe('settings of the ledger', () => {
  it('has a default for everything in the sandbox', () => {
    expect(readLedgerConfig({}, 'sandbox')).toMatchObject({ merchantName: 'PONTE PAGAMENTOS SA', merchantCity: 'SAO PAULO', pollMs: 5000 });
  });

  it('names the variable that cannot be used', () => {
    for (const [name, value] of [
      ['LEDGER_MERCHANT_NAME', 'x'.repeat(26)], ['LEDGER_MERCHANT_CITY', 'SÃO PAULO'], ['LEDGER_POLL_MS', '0'], ['LEDGER_RESUME_MS', 'soon'], ['LEDGER_PIX_RAIL', 'paper'],
    ] as const) expect(() => readLedgerConfig({ [name]: value }, 'sandbox')).toThrow(name);
  });

  it('A production process does not simulate its bank unless told so by name', () => {
    expect(() => readLedgerConfig({}, 'production')).toThrow('LEDGER_PIX_RAIL');
    expect(readLedgerConfig({ LEDGER_PIX_RAIL: 'simulator' }, 'production').pixKey).toMatch(/^[0-9a-f-]{36}$/);
  });
});
