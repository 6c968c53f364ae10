import { SERVICES } from '@ponte/contracts';
import { addresseeOf, readLine } from './addressee';

const of = (line: string) => addresseeOf(line.split(' '));

test('a verb goes to the service that owns what it names, and a verb that only reads goes to all', () => {
  expect(of('read-models rebuild ledger-trial-balance --reason x')).toEqual({ services: ['ledger'] });
  expect(of('relay rewind webhook-outbox --to start --reason x')).toEqual({ services: ['webhooks'] });
  expect(of('relay show relay-orders')).toEqual({ services: ['orders'] });
  expect(of('relay show ledger-received-pix')).toEqual({ services: ['ledger'] });
  expect(of('relay rewind --all --to start --reason x')).toEqual({
    services: ['onboarding', 'pricing', 'orders', 'movements', 'ledger', 'webhooks'],
  });
  expect(of('relay rewind movements-deposits-eth-base --to x --reason x')).toEqual({ services: ['movements'] });
  expect(of('restore set-back --backup-time 2026-01-31T00:00:00.000Z --reason x')).toEqual({
    services: ['onboarding', 'pricing', 'orders', 'movements', 'ledger', 'webhooks'],
  });
  expect(of(`restore unknown-payouts 0198c1d2-7a3b-7c4d-9e5f-0123456789ab`)).toEqual({ services: ['ledger'] });
  expect(of('edge forget --reason x')).toEqual({ services: ['gateway'] });
  expect(() => of('failpoint arm before:OrderPlaced --reason x')).toThrow('use --service');
  expect(of('relay show onboarding-own-wallets')).toEqual({ services: ['onboarding'] });
  expect(of('parked show 0198')).toEqual({ whoParked: '0198' });
  expect(of('parked discard 0198 --group ledger --reason x')).toEqual({ whoParked: '0198' });
  expect(of('dead-letters replay 0198 --reason x')).toEqual({ whoParked: '0198' });
  expect(of('keys rewrap --reason x')).toMatchObject({ services: [expect.any(String)] });
  for (const line of [
    'parked list --group ledger',
    'parked discarded',
    'dead-letters list',
    'relay show --json',
    'checkpoints',
    'actions --limit 3',
  ])
    expect(of(line)).toEqual({ services: SERVICES });
  expect(of('read-models rebuild --all --reason x')).toEqual({
    services: expect.not.arrayContaining(['gateway', 'pricing']) as string[],
  });
  expect(of('parked release --help')).toMatchObject({ services: [expect.any(String)] });
  expect(() => of('read-models rebuild order --reason x')).toThrow(
    'no read model is called order; there are onboarding-pending-steps',
  );
  expect(() => of('relay rewind relay-gateway --to start')).toThrow(
    'no relay is called relay-gateway; there are relay-onboarding',
  );
});

test('the --service flag is taken out of a command line at any position', () => {
  expect(readLine(['--service', 'orders', 'parked', 'list'])).toEqual({ service: 'orders', words: ['parked', 'list'] });
  expect(readLine(['actions', '--service=ledger', '--json'])).toEqual({
    service: 'ledger',
    words: ['actions', '--json'],
  });
  expect(readLine(['actions'])).toEqual({ service: undefined, words: ['actions'] });
  expect(() => readLine(['actions', '--service', 'unknown'])).toThrow('unknown service unknown; use one of: ');
});
