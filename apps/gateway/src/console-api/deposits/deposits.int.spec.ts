import { GetAnyDeposit } from '@ponte/contracts';
import { SAMPLE } from '../../api/samples';
import { SENDER, depositRecord } from '../../testing/records/money-records';
import { as, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

const URL = `/staff/v1/deposits/${SAMPLE.depositId}`;
const shown = async () => (await as('operator', URL)).json<{ deposit: Record<string, unknown> }>().deposit;

describe('A deposit as staff see it', () => {
  it("has Ponte's and the bank's own id of its return, and masks the sender", async () => {
    const returned = { returnId: 'r1', bankReturnId: 'D1', returnedAt: SAMPLE.time };
    const record = await depositRecord(gateway.engines.personalData, { status: 'voided', returned });
    gateway.bus.on(GetAnyDeposit, () => record);
    expect(await shown()).toMatchObject({
      ...{ 'return-id': 'r1', 'bank-return-id': 'D1', 'returned-at': SAMPLE.time },
      'end-to-end-id': SAMPLE.endToEndId,
    });
    expect(JSON.stringify(await shown())).not.toContain(SENDER.account);
    gateway.bus.on(GetAnyDeposit, () => ({ ...record, returned: { ...returned, bankReturnId: null } }));
    expect(await shown()).not.toHaveProperty('bank-return-id');
    const { returned: _, ...credited } = record;
    gateway.bus.on(GetAnyDeposit, () => credited);
    expect(await shown()).not.toHaveProperty('return-id');
  });
});
