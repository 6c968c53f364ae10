import { sectionsOf } from './sections';

test('each service has a section with its own output, and services with the same output share one', () => {
  const table = 'READER         BEHIND\nrelay-orders   3 events\n';
  expect(
    sectionsOf([
      { service: 'gateway', out: 'no reader\n' },
      { service: 'orders', out: table },
      { service: 'pricing', out: 'no reader\n' },
      { service: 'ledger', out: '' },
    ]),
  ).toEqual(['gateway, pricing:\n  no reader', 'orders:\n  READER         BEHIND\n  relay-orders   3 events']);
});
