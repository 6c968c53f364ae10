import type { WalletRecord } from '@ponte/contracts';
import { CreateWallet, GetBalance } from '@ponte/contracts';
import { Refusal, refuse } from '@ponte/kernel';
import type { Hex } from '../chain/chain.port';
import { walletIdOf } from '../wallet/wallet.decider';
import { OWNER, uuid } from '../testing/certificates-under-test';
import { ASSET, TransfersUnderTest } from '../testing/transfers-under-test';

const service = TransfersUnderTest.forEachTest();
const mainId = walletIdOf(OWNER, 'eth-base');
const units = (amount: number) => `${amount}.${'0'.repeat(18)}`;

async function addWallet(): Promise<WalletRecord> {
  const terms = { name: 'Savings', chain: 'eth-base', metadata: {}, uiEnabled: false } as const;
  const wallet = { accountId: OWNER, walletId: uuid(), ...terms };
  return service.movements.bus.request(CreateWallet, wallet, service.movements.context());
}

/** An order of the account takes so much from its main wallet. */
function promise(amount: number): void {
  const owner = { kind: 'order', id: uuid() } as const;
  const source = { walletId: mainId, movementId: uuid() };
  service.movements.others.push({ holdId: uuid(), owner, asset: ASSET, amount: units(amount), source });
}

/** A withdrawal of the account takes so much from any of its wallets. */
function withdraw(amount: number): void {
  const owner = { kind: 'withdrawal', id: uuid() } as const;
  service.movements.others.push({ holdId: uuid(), owner, asset: ASSET, amount: units(amount) });
}

const violationsOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => [],
    (error: unknown) => (error instanceof Refusal ? error.violations.map(({ code, path }) => [code, path]) : [error]),
  );

describe('A transfer from one of several wallets', () => {
  let savings: WalletRecord;
  beforeEach(async () => {
    service.fund(5);
    savings = await addWallet();
  });

  it('is refused at once, and reserves nothing, if orders will take the tokens', async () => {
    promise(3);
    const payload = service.request({ amount: '3', externalId: 'ref-1' });
    expect(await violationsOf(service.send(payload))).toEqual([['insufficient-balance', 'amount']]);
    expect([service.movements.holdRequests, service.movements.ofType('TransferCreated')]).toEqual([[], []]);
    await expect(service.send(service.request({ amount: '2', externalId: 'ref-1' }))).resolves.toMatchObject({
      state: 'created',
    });
  });

  it('tells the ledger what the wallet can pay, so that a hold placed in the meantime is taken into account', async () => {
    promise(3);
    const { transferId, ...payload } = service.request({ amount: '2' });
    await service.send({ transferId, ...payload });
    expect(service.movements.holdRequests).toMatchObject([
      {
        accountId: OWNER,
        hold: { owner: { kind: 'transfer', id: transferId }, source: { walletId: mainId, movementId: transferId } },
        funds: { available: units(2), held: units(3) },
      },
    ]);
    await expect(service.ended(transferId)).resolves.toMatchObject({ state: 'completed' });
  });

  it('is checked again if a withdrawal was placed in the meantime, which other wallets can pay', async () => {
    const { movements } = service;
    service.chains.base.fund(ASSET, savings.address as Hex, 5n * 10n ** 18n);
    movements.beforeHold = () => {
      if (movements.holdRequests.length > 1) return;
      withdraw(5);
      refuse('insufficient-balance', 'other withdrawals take the tokens', 'amount');
    };
    // An order takes some of the main wallet, so the withdrawal begins with the other one.
    promise(1);
    await expect(service.send(service.request({ amount: '4' }))).resolves.toMatchObject({ state: 'created' });
    expect(movements.holdRequests.map(({ funds }) => funds)).toEqual([
      { available: units(4), held: units(1), withdrawals: units(0) },
      { available: units(4), held: units(1), withdrawals: units(5) },
    ]);
  });

  it('is refused, and reserves nothing, if the wallet then has too little', async () => {
    const { movements } = service;
    movements.beforeHold = () => {
      withdraw(3);
      refuse('insufficient-balance', 'other withdrawals take the tokens', 'amount');
    };
    const payload = service.request({ amount: '5', externalId: 'ref-1' });
    expect(await violationsOf(service.send(payload))).toEqual([['insufficient-balance', 'amount']]);
    expect(movements.holdRequests).toHaveLength(1);
    movements.beforeHold = () => undefined;
    await expect(service.send(service.request({ amount: '2', externalId: 'ref-1' }))).resolves.toMatchObject({
      state: 'created',
    });
  });

  it('is refused if the ledger refuses it again and again', async () => {
    service.movements.beforeHold = () => refuse('insufficient-balance', 'others take the tokens', 'amount');
    expect(await violationsOf(service.send(service.request()))).toEqual([['insufficient-balance', 'amount']]);
    expect(service.movements.holdRequests).toHaveLength(3);
  });

  it('is refused at once if the balance of the account is too low', async () => {
    service.movements.bus.handle(GetBalance.pattern, async () => ({ available: units(1) }));
    service.movements.funded = false;
    expect(await violationsOf(service.send(service.request({ amount: '2' })))).toEqual([
      ['insufficient-balance', 'amount'],
    ]);
    expect(service.movements.holdRequests).toHaveLength(1);
  });

  it('is not refused because of its own hold, which an interrupted request has placed', async () => {
    const payload = service.request({ amount: '5' });
    const owner = { kind: 'transfer', id: payload.transferId } as const;
    const source = { walletId: mainId, movementId: payload.transferId };
    service.movements.others.push({ holdId: uuid(), owner, asset: ASSET, amount: units(5), source });
    await expect(service.send(payload)).resolves.toMatchObject({ state: 'created' });
  });
});

it('A transfer from the only wallet of an account does not send the ledger what the wallet can pay', async () => {
  service.fund(5);
  promise(5);
  await expect(service.send(service.request({ amount: '5' }))).resolves.toMatchObject({ state: 'created' });
  expect(service.movements.holdRequests[0]?.funds).toBeUndefined();
  expect(service.movements.holdRequests[0]?.hold.source?.walletId).toBe(mainId);
});
