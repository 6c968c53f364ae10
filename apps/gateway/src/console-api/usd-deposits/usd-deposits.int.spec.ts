import { GetAnyDeposit, ListUsdDeposits, RecordUsdDeposit, RecordUsdDepositView } from '@ponte/contracts';
import type { DepositRecord, DepositStatus } from '@ponte/contracts';
import { refuse } from '@ponte/kernel';
import { SAMPLE } from '../../api/samples';
import { tokenDepositRecord, USD_DEPOSIT_ID, usdDepositRecord } from '../../testing/records/money-records';
import { STAFF } from '../../testing/staff-members';
import { SESSION_ROUTES } from '../../testing/staff-routes';
import { codeOf } from '../../testing/use-gateway';
import type { Name } from '../testing/staff-requests';
import { as, lastRequest, browsers, gateway, NAMES, send, useSignedInStaff } from '../testing/staff-requests';
import type { StaffUsdDepositEnvelopeDto, StaffUsdDepositsDto } from './usd-deposit.dto';

useSignedInStaff();

const LIST = '/staff/v1/usd-deposits';
const SOURCE = 'Maria at Example Bank';
const MASKED = { source: '***', target: null };

/** A USD deposit that the ledger answers with. */
async function recorded(status: DepositStatus): Promise<DepositRecord> {
  const { personalData } = gateway.engines;
  const coordinates = { source: await personalData.seal('a-holder', SOURCE), target: null };
  const record = await usdDepositRecord(personalData, {
    id: USD_DEPOSIT_ID,
    accountId: SAMPLE.parentId,
    status,
    coordinates,
  });
  gateway.bus.on(ListUsdDeposits, () => ({ items: [record], next: null }));
  gateway.bus.on(GetAnyDeposit, () => record);
  gateway.bus.on(RecordUsdDeposit, () => record);
  return record;
}
const views = () => gateway.bus.requestsOf(RecordUsdDepositView).length;
const open = (name: Name, id: string, purpose = '?purpose=review') => as(name, `${LIST}/${id}${purpose}`);

describe('The source and target of a USD deposit', () => {
  it('are masked in every list and in the response to a step, because no view is recorded', async () => {
    const before = views();
    for (const status of ['created', 'confirmed', 'credited', 'voided'] as const) {
      await recorded(status);
      for (const name of NAMES)
        expect((await as(name, LIST)).json<StaffUsdDepositsDto>().deposits[0]?.coordinates).toEqual(MASKED);
    }
    await recorded('created');
    for (const step of [
      await send(SESSION_ROUTES['staff-record-usd-deposit'], browsers.operator),
      await send(SESSION_ROUTES['staff-confirm-usd-deposit'], browsers.approver),
    ])
      expect(step.json<StaffUsdDepositEnvelopeDto>().deposit.coordinates).toEqual(MASKED);
    expect(views()).toBe(before);
  });

  it('are shown for a purpose to the roles that decide, once the view is recorded', async () => {
    const { id, accountId } = await recorded('created');
    expect(codeOf(await open('approver', id, ''))).toMatch(/^400 /);
    for (const name of ['analyst', 'auditor'] as const)
      expect(codeOf(await open(name, id))).toBe('403 role-not-allowed');
    const before = views();
    for (const name of ['operator', 'approver'] as const) {
      const { deposit } = (await open(name, id)).json<StaffUsdDepositEnvelopeDto>();
      expect(deposit.coordinates).toEqual({ source: SOURCE, target: null });
      expect(lastRequest(RecordUsdDepositView)?.payload).toMatchObject({
        ...{ accountId, staff: { staffId: STAFF[name].staffId }, purpose: 'review' },
      });
    }
    expect(views()).toBe(before + 2);
  });

  it('are not shown if the view is not recorded', async () => {
    const { id } = await recorded('created');
    gateway.bus.on(RecordUsdDepositView, () => refuse('personal-data-restricted', 'an erasure was requested'));
    const refused = await open('approver', id);
    gateway.bus.on(RecordUsdDepositView, () => ({}));
    expect([codeOf(refused), refused.body.includes(SOURCE)]).toEqual(['403 personal-data-restricted', false]);
  });

  it.each(['confirmed', 'credited', 'voided'] as const)('are masked and not viewed once it is %s', async (status) => {
    const { id } = await recorded(status);
    const before = views();
    expect((await open('approver', id)).json<StaffUsdDepositEnvelopeDto>().deposit.coordinates).toEqual(MASKED);
    expect(views()).toBe(before);
  });

  it('are not found for a deposit of another type, or one that does not exist', async () => {
    const other = await tokenDepositRecord(gateway.engines.personalData);
    const before = views();
    for (const record of [other, null]) {
      gateway.bus.on(GetAnyDeposit, () => record);
      expect(codeOf(await open('approver', other.id))).toBe('404 deposit-not-found');
    }
    expect(views()).toBe(before);
  });
});
