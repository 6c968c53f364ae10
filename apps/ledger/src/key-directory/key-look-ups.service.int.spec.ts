import { LEDGER_TRANSIT_SUBJECT, ResolvePixKey } from '@ponte/contracts';
import { Refusal, Unavailable, derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT, HOLDER_CPF, STRANGER_CPF } from '../testing/ledger-under-test';
import { MAGIC_KEYS, SimulatedKeyDirectory } from './simulated.key-directory.adapter';
import { WhenWithdrawalCompletedGiveLookUpBack } from './when-withdrawal-completed-give-look-up-back.policy';

const DAY_MS = 86_400_000;
/** Another sub-account of the same partner. */
const SISTER = derivedId('account', 'sister');
const LIMITED = 'too-many-pix-key-look-ups';

const ledger = ledgerForEachTest({ booksBalance: true });
let lookUp: jest.SpyInstance;
beforeEach(async () => {
  await ledger.fund('1000.00');
  lookUp = jest.spyOn(SimulatedKeyDirectory.prototype, 'lookUp');
});
afterEach(() => jest.restoreAllMocks());

/** Sets the tokens of a full bucket of the account. It refills by one a minute. */
const limitTo = (burst: number) =>
  jest.replaceProperty(ledger.settings, 'pixKeyLookUps', { account: { perMinute: 1, burst } });
const code = (response: Promise<unknown>): Promise<string> =>
  response.then(
    () => 'accepted',
    (error: unknown) => {
      if (error instanceof Refusal) return error.code;
      throw error;
    },
  );
const withdraw = (pixKey: string, withdrawalId = ledger.freshId()) =>
  code(ledger.withdraw('1.00', { pixKey }, { withdrawalId }));
const resolve = async (pixKey: string, { subject = 'pix-key', accountId = ACCOUNT } = {}) =>
  code(ledger.ask(ResolvePixKey, { accountId, key: await ledger.engines.personalData.seal(subject, pixKey) }));
const completed = (withdrawalId: string) =>
  eventually(async () => expect((await ledger.withdrawal(withdrawalId))?.state).toBe('completed'));

describe('Look-ups of Pix keys for requests of clients', () => {
  it('are limited for a partner who guesses keys with a new idempotency key each time', async () => {
    limitTo(60);
    const results: string[] = [];
    for (let at = 0; at < 6; at += 1) results.push(await withdraw(MAGIC_KEYS.unknown));
    expect(results).toEqual([...Array<string>(3).fill('pix-key-not-found'), ...Array<string>(3).fill(LIMITED)]);
    expect(lookUp).toHaveBeenCalledTimes(3);
    expect((await ledger.balance()).available).toBe('1000.00');
    expect(await withdraw(HOLDER_CPF)).toBe(LIMITED);
  });

  it('share one limit between withdrawals, orders and dry runs of orders', async () => {
    limitTo(60);
    expect(await withdraw(MAGIC_KEYS.unknown)).toBe('pix-key-not-found');
    expect(await resolve(MAGIC_KEYS.unknown)).toBe('accepted');
    expect(await resolve(MAGIC_KEYS.unknown, { subject: LEDGER_TRANSIT_SUBJECT })).toBe('accepted');
    expect(lookUp).toHaveBeenCalledTimes(3);
    expect([await resolve(HOLDER_CPF), await withdraw(HOLDER_CPF)]).toEqual([LIMITED, LIMITED]);
    expect(lookUp).toHaveBeenCalledTimes(3);
  });

  it('are not refilled by business time that the sandbox advances', async () => {
    limitTo(20);
    expect(await withdraw(MAGIC_KEYS.unknown)).toBe('pix-key-not-found');
    ledger.now += DAY_MS;
    expect(await withdraw(HOLDER_CPF)).toBe(LIMITED);
  });

  it('are not needed for a repeated request, which gets the withdrawal although the limit is reached', async () => {
    const withdrawalId = ledger.freshId();
    expect(await withdraw(STRANGER_CPF, withdrawalId)).toBe('accepted');
    await completed(withdrawalId);
    limitTo(40);
    expect([await withdraw(MAGIC_KEYS.unknown), await withdraw(MAGIC_KEYS.unknown)]).toEqual(
      Array(2).fill('pix-key-not-found'),
    );
    lookUp.mockClear();
    for (let at = 0; at < 5; at += 1) expect(await withdraw(STRANGER_CPF, withdrawalId)).toBe('accepted');
    expect(lookUp).not.toHaveBeenCalled();
  });

  it('are given back when the key is paid, and the payout itself is not limited', async () => {
    limitTo(20);
    const tokens = async () =>
      (
        await ledger.engines.edgeState.takeToken({
          ...{ bucket: `pix-key-look-ups account ${ACCOUNT}`, peek: true, nowMs: 0 },
          ...{ capacity: 20, perSecond: 1 / 60 },
        })
      ).tokens;
    for (let payments = 1; payments <= 3; payments += 1) {
      const withdrawalId = ledger.freshId();
      expect(await withdraw(STRANGER_CPF, withdrawalId)).toBe('accepted');
      await completed(withdrawalId);
      await eventually(async () => expect(await tokens()).toBe(20));
    }
    // Each payout looked the key up again, without a token.
    expect(lookUp.mock.calls.length).toBeGreaterThan(3);
  });

  it('are not given back before the completed withdrawal is visible: the event is retried', async () => {
    const policy = ledger.part(WhenWithdrawalCompletedGiveLookUpBack);
    const completion = { data: { withdrawalId: ledger.freshId(), target: { method: 'pix' } } };
    await expect(policy.handle(completion as never)).rejects.toBeInstanceOf(Unavailable);
  });

  it('are refused with the seconds until there are enough tokens again', async () => {
    limitTo(20);
    await withdraw(MAGIC_KEYS.unknown);
    const error: unknown = await ledger.withdraw('1.00', { pixKey: HOLDER_CPF }).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ violations: [{ code: LIMITED, path: '' }] });
    const seconds = (error as Refusal).violations[0]?.['retry-after-seconds'];
    // A bucket refills with the system's time, of which some has passed.
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(1_200);
  });

  it('are limited for a partner who guesses keys on several sub-accounts', async () => {
    jest.replaceProperty(ledger.settings, 'pixKeyLookUps', { partner: { perMinute: 1, burst: 40 } });
    ledger.status.set(SISTER, 'active');
    expect(await withdraw(MAGIC_KEYS.unknown)).toBe('pix-key-not-found');
    expect(await resolve(MAGIC_KEYS.unknown, { accountId: SISTER })).toBe('accepted');
    expect([await withdraw(HOLDER_CPF), await resolve(HOLDER_CPF, { accountId: SISTER })]).toEqual([LIMITED, LIMITED]);
  });
});
