import { GetAnyDeposit, ListAllDeposits, ListAllWithdrawals, ListDeposits, ListUsdDeposits } from '@ponte/contracts';
import { ListWebhookDeliveries, ListWithdrawals } from '@ponte/contracts';
import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { SAMPLE } from '../api/samples';
import { as, gateway, useSignedInStaff } from '../console-api/testing/staff-requests';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';
import { depositRecord, SENDER, usdDepositRecord, withdrawalRecord } from '../testing/records/money-records';
import { deliveryRecord } from '../testing/records/webhook-records';

useSignedInStaff();

const LOST = `sealed:v1:lost-person:${Buffer.alloc(40).toString('base64')}` as const;
/** As of a person whose key is missing. */
const lost = { ...({} as PersonalData), seal: async (): Promise<Sealed> => LOST };
const GONE = '[unavailable]';
const page = <T>(...items: T[]) => ({ items, next: null });

const get = (path: string) =>
  gateway.app.inject({ url: `/api/v1/accounts/${CHILD}/${path}`, headers: { authorization: `Bearer ${KEY.partner}` } });
/** The rows of the only list of a response. */
const rowsOf = (answer: { json(): unknown }) =>
  Object.values(answer.json() as Record<string, Record<string, unknown>[]>).flat();

const WITHDRAWN = { 'branch-number': GONE, 'account-number': GONE, 'account-holder-name': GONE };

describe('a person whose key is missing', () => {
  let personalData: PersonalData;
  beforeAll(() => void ({ personalData } = gateway.engines));

  it('does not hide a deposit from its account or from staff, nor the others of a list', async () => {
    const deposits = page(await depositRecord(lost), await depositRecord(personalData), {
      ...(await depositRecord(lost)),
      status: 'voided' as const,
    });
    gateway.bus.on(ListDeposits, () => deposits);
    gateway.bus.on(ListAllDeposits, () => deposits);
    gateway.bus.on(GetAnyDeposit, () => deposits.items[0] ?? null);
    const sender = { 'source-tax-id': GONE, 'source-account-number': GONE, 'source-branch-code': GONE };
    expect(rowsOf(await get('assets/brl/deposits')).map(({ coordinates }) => coordinates)).toMatchObject([
      sender,
      { 'source-tax-id': SENDER.taxId },
      sender,
    ]);
    const shown = [{ 'source-tax-id': GONE }, { 'source-tax-id': '***.444.777-**' }, { 'source-tax-id': GONE }];
    expect(rowsOf(await as('operator', '/staff/v1/deposits')).map(({ coordinates }) => coordinates)).toMatchObject(
      shown,
    );
    const one = await as('operator', `/staff/v1/deposits/${SAMPLE.depositId}`);
    expect(one.json()).toMatchObject({ deposit: { coordinates: { 'source-tax-id': GONE } } });
  });

  it('does not hide a withdrawal from its account or from staff, nor the others of a list', async () => {
    const [pix, ted] = [{ method: 'pix' as const }, { method: 'ted' as const }];
    const withdrawals = page(
      await withdrawalRecord(lost, pix),
      await withdrawalRecord(lost, ted),
      await withdrawalRecord(personalData, pix),
    );
    gateway.bus.on(ListWithdrawals, () => withdrawals);
    gateway.bus.on(ListAllWithdrawals, () => withdrawals);
    expect(rowsOf(await get('withdrawals'))).toMatchObject([
      { 'pix-key': GONE },
      { ...WITHDRAWN, 'account-holder-tax-id': GONE, 'bank-code': '756' },
      { 'pix-key': SAMPLE.pixKey },
    ]);
    expect(rowsOf(await as('operator', '/staff/v1/withdrawals'))).toMatchObject([
      { 'pix-key': '***' },
      { 'account-holder-tax-id': GONE },
      { 'pix-key': '***' },
    ]);
  });

  it('hides no USD deposit from staff', async () => {
    gateway.bus.on(ListUsdDeposits, async () => page(await usdDepositRecord(lost)));
    expect(rowsOf(await as('operator', '/staff/v1/usd-deposits'))).toMatchObject([{ status: 'created' }]);
  });

  it('hides no delivery of an endpoint whose responses cannot be decrypted', async () => {
    const [attempt] = deliveryRecord().attempts;
    if (!attempt) throw new Error('a delivery has an attempt');
    const attempts = [{ ...attempt, response: LOST }];
    gateway.bus.on(ListWebhookDeliveries, () => page(deliveryRecord({ attempts }), deliveryRecord()));
    const rows = rowsOf(await get(`webhook-endpoints/${SAMPLE.endpointId}/deliveries`));
    expect(rows.map((row) => row['attempts'])).toMatchObject([[{ response: GONE }], [{ response: null }]]);
  });

  it('is not assumed while the keys cannot be read: the request fails, and can be repeated', async () => {
    gateway.bus.on(ListWithdrawals, async () => page(await withdrawalRecord(personalData)));
    const opening = jest.spyOn(personalData, 'open').mockRejectedValue(new Unavailable('service-unavailable'));
    const during = await get('withdrawals');
    opening.mockRestore();
    expect([during.statusCode, during.body.includes(GONE)]).toEqual([503, false]);
    expect(rowsOf(await get('withdrawals'))).toMatchObject([{ 'pix-key': SAMPLE.pixKey }]);
  });
});
