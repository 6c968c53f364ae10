import { join } from 'node:path';
import { DepositPosted, HoldPlaced } from '@ponte/contracts';
import { openSqliteViews } from '@ponte/eventstore-sqlite';
import type { LogSlice, Recorded } from '@ponte/event-sourcing';
import { temporaryFolder } from '@ponte/testing';
import { depositPostings } from '../ledger-account/postings.domain';
import { Money } from '@ponte/kernel';
import { KyselyTrialBalance } from './trial-balance.read-model';

const AT = '2026-11-20T12:00:00.000Z';
const credit = Money.parse('fiat/brl', '10.00');
const order = { comparePositions: (a: string, b: string) => Number(a) - Number(b) };

const slice = (position: number, event: DepositPosted | HoldPlaced): LogSlice => ({
  events: [
    { ...event, stream: 'ledgerAccount-a', revision: position, position: String(position) } as unknown as Recorded,
  ],
  position: String(position),
  caughtUp: true,
});
const deposit = (position: number): LogSlice =>
  slice(
    position,
    new DepositPosted({
      accountId: 'a',
      postingId: `deposit:${position}`,
      depositId: String(position),
      credit: { asset: 'fiat/brl', amount: '10.00' },
      postings: depositPostings('a', credit),
      postedAt: AT,
    }),
  );
const hold = (position: number): LogSlice =>
  slice(
    position,
    new HoldPlaced({
      accountId: 'a',
      hold: { holdId: `h${position}`, owner: { kind: 'order', id: `o${position}` }, asset: 'fiat/brl', amount: '1.00' },
      placedAt: AT,
    }),
  );

let folder: ReturnType<typeof temporaryFolder>;
let views: ReturnType<typeof openSqliteViews>;
let trialBalance: KyselyTrialBalance;
beforeEach(async () => {
  folder = temporaryFolder();
  views = openSqliteViews<unknown>(join(folder.path, 'views.db'), 'off');
  trialBalance = new KyselyTrialBalance(views as never, order);
  await trialBalance.onModuleInit();
});
afterEach(async () => {
  await views.destroy();
  folder.remove();
});

const settled = async (): Promise<string | undefined> => (await trialBalance.sums()).customers[0]?.amount;

describe('the trial balance', () => {
  it('refuses what an earlier holder of the lease applies, and adds nothing up twice', async () => {
    const other = new KyselyTrialBalance(views as never, order);
    await trialBalance.apply(deposit(1), 1);
    await other.apply(deposit(2), 2);
    await expect(trialBalance.apply(deposit(3), 1)).rejects.toThrow('a later holder of the lease');
    expect([await settled(), await trialBalance.position()]).toEqual(['20.00', '2']);
    await trialBalance.moveOn('9', 1);
    expect(await trialBalance.position()).toBe('2');
    await other.apply(deposit(2), 2);
    await other.apply(deposit(3), 2);
    expect([await settled(), await trialBalance.position()]).toEqual(['30.00', '3']);
  });

  it('lists open holds page by page, also those that were placed at one moment', async () => {
    for (let position = 1; position <= 5; position += 1) await trialBalance.apply(hold(position), 1);
    const found: string[] = [];
    for (
      let page = await trialBalance.openHolds('order', '2027', 2);
      page.length > 0;
      page = await trialBalance.openHolds('order', '2027', 2, page.at(-1))
    )
      found.push(...page.map(({ holdId }) => holdId));
    expect(found).toEqual(['h1', 'h2', 'h3', 'h4', 'h5']);
  });
});
