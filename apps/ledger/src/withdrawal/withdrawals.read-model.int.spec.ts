import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import type { Kysely } from 'kysely';
import type { AddressReviewReadModel } from '../address-screening/address-reviews.read-model';
import { WithdrawalReadModel } from './withdrawals.read-model';

let readModels: Kysely<unknown>;
let list: WithdrawalReadModel;
beforeEach(async () => {
  readModels = openSqliteReadModels<unknown>(':memory:');
  // Pages of due withdrawals do not depend on reviews.
  list = new WithdrawalReadModel(readModels, undefined as unknown as AddressReviewReadModel);
  await list.onModuleInit();
});
afterEach(() => readModels.destroy());

const at = (minute: number): string => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`;
const row = (id: string, dueAt: string | null) => ({
  id,
  revision: 0,
  created_at: at(0),
  account_id: 'one',
  asset: 'fiat/brl',
  state: 'processing',
  method: 'pix',
  external_id: null,
  due_at: dueAt,
  tx_hash: null,
  record: {},
});

it('the read model returns all due withdrawals in pages, longest due first, including several with the same due time', async () => {
  const rows = [row('e', at(3)), row('a', at(1)), row('c', at(1)), row('b', at(1)), row('d', at(2)), row('f', null)];
  await list.table.putAll([...rows, row('g', at(9))] as never);
  const found: string[][] = [];
  for await (const ids of list.due(at(5), 2)) found.push([...ids]);
  expect(found).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
});

it('tokens that are being sent are not due, because the movements service advances them', async () => {
  const rows = [
    { ...row('pix', at(1)), method: 'pix' },
    { ...row('sent', at(2)), method: 'token' },
    { ...row('created', at(3)), method: 'token', state: 'created' },
  ];
  await list.table.putAll(rows as never);
  const found: string[] = [];
  for await (const ids of list.due(at(5))) found.push(...ids);
  expect(found).toEqual(['pix', 'created']);
});

it('started token withdrawals are found in pages, earliest first, without their records', async () => {
  const tokens = (id: string, minute: number, more: object = {}) => ({
    ...row(id, at(minute)),
    ...{ method: 'token', ...more },
  });
  const others = [row('pix', at(1)), tokens('created', 1, { state: 'created' }), tokens('late', 6)];
  const signed = tokens('d', 3, { tx_hash: '0x1' });
  await list.table.putAll([signed, tokens('c', 1), tokens('a', 2), tokens('b', 1), ...others] as never);
  for (const limit of [1, 2, 3, 4, 5]) {
    const found: object[] = [];
    for (let page = await list.started(at(5), null, limit); page.length > 0;) {
      found.push(...page);
      page = await list.started(at(5), page.at(-1) ?? null, limit);
    }
    const minutes = { b: 1, c: 1, a: 2, d: 3 };
    expect(found).toEqual(
      Object.entries(minutes).map(([withdrawalId, minute]) => ({ withdrawalId, startedAt: at(minute) })),
    );
  }
});
