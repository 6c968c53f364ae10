import { join } from 'node:path';
import { DepositPosted, HoldPlaced } from '@ponte/contracts';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { LogSlice, Recorded } from '@ponte/event-sourcing';
import { temporaryFolder } from '@ponte/testing';
import { depositPostings } from '../ledger-account/postings.domain';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { catchUp, createReadModelCheckpoints } from '@ponte/read-models';
import { FxDays } from '../reports/fx-days.read-model';
import { countHolds } from '../waiting-work/count-holds';
import { LedgerDecisions } from '../waiting-work/ledger-decisions.read-model';
import { OpenHolds, TRIAL_BALANCE_READER, TrialBalance } from './trial-balance.read-model';

const AT = '2026-11-20T12:00:00.000Z';
const credit = Money.parse('fiat/brl', '10.00');
const order = { comparePositions: (a: string, b: string) => Number(a) - Number(b) };

const slice = (position: number, event: DepositPosted | HoldPlaced): LogSlice => ({
  events: [
    {
      ...event,
      version: 1,
      stream: 'ledgerAccount-a',
      revision: position,
      position: String(position),
    } as unknown as Recorded,
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
const hold = (position: number, placedAt = AT): LogSlice =>
  slice(
    position,
    new HoldPlaced({
      accountId: 'a',
      hold: { holdId: `h${position}`, owner: { kind: 'order', id: `o${position}` }, asset: 'fiat/brl', amount: '1.00' },
      placedAt,
    }),
  );

let folder: ReturnType<typeof temporaryFolder>;
let readModels: ReturnType<typeof openSqliteReadModels>;
let trialBalance: TrialBalance;
let openHolds: OpenHolds;
let decisions: LedgerDecisions;
beforeEach(async () => {
  folder = temporaryFolder();
  readModels = openSqliteReadModels<unknown>(join(folder.path, 'read-models.db'), 'off');
  await createReadModelCheckpoints(readModels).prepare();
  [trialBalance, openHolds] = [new TrialBalance(readModels), new OpenHolds(readModels)];
  decisions = new LedgerDecisions(readModels);
  await Promise.all([trialBalance, openHolds, new FxDays(readModels), decisions].map((one) => one.onModuleInit()));
});
afterEach(async () => {
  await readModels.destroy();
  folder.remove();
});

/** A process that keeps the tables up to date. */
const holder = () =>
  catchUp({
    reader: { name: TRIAL_BALANCE_READER, parts: [TrialBalance.part, OpenHolds.part, FxDays.part] },
    readModels,
    store: { ...order, read: async () => [] },
  });
const settled = async (): Promise<string | undefined> => (await trialBalance.sums()).customers[0]?.amount;
/** The counts of holds for orders that are not zero. */
const counts = async (before: string) => (await countHolds(readModels, 'order', before)).filter(({ all }) => all > 0);
const place = () => createReadModelCheckpoints(readModels).load(TRIAL_BALANCE_READER);

describe('The trial balance', () => {
  it('rejects writes of an earlier lease holder, and adds nothing up twice', async () => {
    const [first, other] = [holder(), holder()];
    await first.apply(deposit(1), 1);
    await other.apply(deposit(2), 2);
    await first.apply(deposit(3), 1);
    expect([await settled(), await place()]).toEqual(['20.00', '2']);
    expect(await first.checkpoints.save(TRIAL_BALANCE_READER, '9', 1)).toBe(false);
    expect(await place()).toBe('2');
    await other.apply(deposit(2), 2);
    await other.apply(deposit(3), 2);
    expect([await settled(), await place()]).toEqual(['30.00', '3']);
  });

  it('is summed by the database, so that what is read does not grow with the number of customers', async () => {
    const line = (account: string, asset: AssetId, minor: bigint) => ({ put: { account, asset, minor } });
    const customers = Array.from({ length: 1_000 }, (_, at) => `customer:${at}`);
    await trialBalance.table.write([
      ...customers.flatMap((account) => [line(account, 'fiat/brl', 101n), line(account, 'eth-base/brlv', 10n ** 24n)]),
      line('house:settlement', 'fiat/brl', -101_000n),
      line('house:treasury', 'eth-base/brlv', -(10n ** 27n) - 1n),
    ]);
    const aggregate = jest.spyOn(trialBalance.table, 'aggregate');
    const select = jest.spyOn(trialBalance.table, 'select');
    expect(await trialBalance.sums()).toEqual({
      house: [
        { account: 'house:settlement', asset: 'fiat/brl', amount: '-1010.00' },
        { account: 'house:treasury', asset: 'eth-base/brlv', amount: '-1000000000.000000000000000001' },
      ],
      customers: [
        { asset: 'eth-base/brlv', amount: '1000000000.000000000000000000' },
        { asset: 'fiat/brl', amount: '1010.00' },
      ],
    });
    expect(select).not.toHaveBeenCalled();
    expect(await aggregate.mock.results[0]?.value).toHaveLength(4);
  });

  it('lists open holds page by page, including holds placed at the same time', async () => {
    const following = holder();
    for (let position = 1; position <= 5; position += 1) await following.apply(hold(position), 1);
    const found: string[] = [];
    for (
      let page = await openHolds.page('order', '2027', 2);
      page.length > 0;
      page = await openHolds.page('order', '2027', 2, page.at(-1))
    )
      found.push(...page.map(({ holdId }) => holdId));
    expect(found).toEqual(['h1', 'h2', 'h3', 'h4', 'h5']);
  });
  it('counts all open holds and those that were placed before a time', async () => {
    expect(await counts('2027')).toEqual([]);
    const following = holder();
    for (let position = 1; position <= 3; position += 1)
      await following.apply(hold(position, `202${position}-01-01T00:00:00.000Z`), 1);
    expect(await counts('2023')).toEqual([{ waitsFor: 'nothing', all: 3, old: 2 }]);
    expect((await countHolds(readModels, 'transfer', '2027')).every(({ all }) => all === 0)).toBe(true);
  });

  it('counts holds that wait for a decision of staff apart, from the beginning of the wait', async () => {
    const following = holder();
    for (const position of [1, 2]) await following.apply(hold(position, '2021-01-01T00:00:00.000Z'), 1);
    const [decided, awaited] = [
      { awaited_since: null, made_at: '2025-01-01T00:00:00.000Z' },
      { awaited_since: '2023-01-01T00:00:00.000Z', made_at: null },
    ];
    const review = { decision: 'review', id: 'o1' } as const;
    await decisions.table.write([{ put: { ...review, ...awaited } }]);
    const other = { waitsFor: 'nothing', all: 1, old: 1 };
    expect(await counts('2023')).toEqual([other, { waitsFor: 'review', all: 1, old: 0 }]);
    expect(await counts('2024')).toEqual([other, { waitsFor: 'review', all: 1, old: 1 }]);
    const release = { decision: 'release', id: 'a' } as const;
    await decisions.table.write([{ put: { ...release, ...awaited } }]);
    expect(await counts('2024')).toEqual([{ waitsFor: 'release', all: 2, old: 2 }]);
    await decisions.table.write([{ put: { ...release, ...decided } }, { put: { ...review, ...decided } }]);
    expect(await counts('2024')).toEqual([{ waitsFor: 'nothing', all: 2, old: 0 }]);
    expect(await counts('2026')).toEqual([{ waitsFor: 'nothing', all: 2, old: 2 }]);
  });
});
