import { ListUsdDeposits } from '@ponte/contracts';
import type { DepositStatus } from '@ponte/contracts';
import { usdDepositRecord } from '../../testing/records/money-records';
import { SESSION_ROUTES } from '../../testing/staff-routes';
import type { Name } from '../testing/staff-requests';
import { as, browsers, gateway, NAMES, send, useSignedInStaff } from '../testing/staff-requests';
import type { StaffUsdDepositDto, StaffUsdDepositEnvelopeDto, StaffUsdDepositsDto } from './usd-deposit.dto';

useSignedInStaff();

async function listed(name: Name, status: DepositStatus): Promise<StaffUsdDepositDto['coordinates']> {
  const { personalData } = gateway.engines;
  const coordinates = { source: await personalData.seal('a-holder', 'Maria at Example Bank'), target: null };
  gateway.bus.on(ListUsdDeposits, async () => ({
    items: [await usdDepositRecord(personalData, { status, coordinates })],
    next: null,
  }));
  const { deposits } = (await as(name, '/staff/v1/usd-deposits')).json<StaffUsdDepositsDto>();
  return deposits[0]?.coordinates ?? {};
}

describe('The source and target of a USD deposit', () => {
  it('are shown to the roles that decide on it while it waits for a decision, and masked for the others', async () => {
    const shown: Record<string, unknown> = {};
    for (const name of NAMES) shown[name] = (await listed(name, 'created')).source;
    expect(shown).toEqual({
      analyst: '***',
      approver: 'Maria at Example Bank',
      operator: 'Maria at Example Bank',
      auditor: '***',
    });
  });

  it.each(['confirmed', 'credited', 'voided'] as const)('are masked for every role once it is %s', async (status) => {
    for (const name of NAMES) expect(await listed(name, status)).toEqual({ source: '***', target: null });
  });

  it('are masked in the answer to a decision', async () => {
    const answer = await send(SESSION_ROUTES['staff-confirm-usd-deposit'], browsers.approver);
    expect(answer.json<StaffUsdDepositEnvelopeDto>().deposit).toMatchObject({
      status: 'credited',
      coordinates: { source: '***', target: null },
    });
  });
});
