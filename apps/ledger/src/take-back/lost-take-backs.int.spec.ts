import { Unavailable } from '@ponte/kernel';
import { depositIdOf } from '../deposit/deposit.state';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import { SettleTakeBack } from './settle-take-back.service';
import { TakeBackDepositCommand } from './take-back-deposit.command';
import { WhenDepositTakenBackReverseAndFreeze } from './when-deposit-taken-back-reverse-and-freeze.policy';

const ledger = ledgerForEachTest({ booksBalance: true });

const DAY_MS = 24 * 3_600_000;
const FREEZE = { accountId: ACCOUNT, reason: 'pix-taken-back' };

/** A credited payment. The event of its take-back will be lost. */
async function credited(): Promise<string> {
  jest.spyOn(WhenDepositTakenBackReverseAndFreeze.prototype, 'handle').mockResolvedValue(undefined);
  const { endToEndId } = await ledger.pay(await ledger.fundingCode(), '50.00');
  await ledger.credited(endToEndId);
  return endToEndId;
}
const takeBackAgain = (endToEndId: string) => ledger.run(new TakeBackDepositCommand({ endToEndId }, ledger.context()));
const settlingFailsOnce = () =>
  jest.spyOn(SettleTakeBack.prototype, 'settle').mockRejectedValueOnce(new Unavailable('service-unavailable'));
afterEach(() => jest.restoreAllMocks());

describe('A payment that the bank took back, if the event of that is lost', () => {
  it('is debited, and its account frozen, once', async () => {
    const endToEndId = await credited();
    await ledger.takeBack(endToEndId);
    expect(await ledger.balance()).toMatchObject({ running: '0.00' });
    expect(ledger.freezes).toEqual([FREEZE]);
    await takeBackAgain(endToEndId);
    expect(ledger.freezes).toHaveLength(1);
    expect(await ledger.types('ledgerAccount-')).toEqual(['DepositPosted', 'DepositReversed']);
  });

  it('is settled by the next poll if it could not be settled at once', async () => {
    const endToEndId = await credited();
    settlingFailsOnce();
    await expect(ledger.takeBack(endToEndId)).rejects.toThrow(Unavailable);
    expect((await ledger.types(`deposit-${depositIdOf(endToEndId)}`)).at(-1)).toBe('DepositVoided');
    expect(await ledger.balance()).toMatchObject({ running: '50.00' });
    await ledger.tick();
    expect(await ledger.balance()).toMatchObject({ running: '0.00' });
    expect(ledger.freezes).toEqual([FREEZE]);
  });

  it('is not settled again by a process that begins to poll days later', async () => {
    const endToEndId = await credited();
    await ledger.takeBack(endToEndId);
    const settle = jest.spyOn(SettleTakeBack.prototype, 'settle');
    await takeBackAgain(endToEndId);
    expect(settle).toHaveBeenCalledTimes(1);
    ledger.now += 3 * DAY_MS;
    await takeBackAgain(endToEndId);
    expect(settle).toHaveBeenCalledTimes(1);
  });
});
