import { ListFailedReturns } from '@ponte/contracts';
import type { FailedReturn } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { freshId } from '@ponte/testing';
import { SAMPLE } from '../../api/samples';
import { as, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

const proposed = (note: Sealed): FailedReturn => ({
  ...{ depositId: freshId(), cause: 'return-refused', status: 'proposed', accountId: null, withdrawalId: null },
  ...{ type: 'pix', asset: 'fiat/brl', amount: '100.00', endToEndId: SAMPLE.endToEndId, reason: 'unknown-target' },
  ...{ attempts: 5, failedAt: SAMPLE.time, settledAt: null, sending: null, sendingFailure: null },
  settlement: {
    ...{ proposal: 1, bankReference: 'E1', note, confirmedBy: null },
    ...{ proposedBy: SAMPLE.parentId, proposedAt: SAMPLE.time },
  },
});
const listed = () => as('operator', '/staff/v1/failed-returns');

describe('The list of failed returns', () => {
  it('shows every payment, also if the note of one is damaged or erased', async () => {
    const { personalData } = gateway.engines;
    const [payer, erased] = [freshId(), freshId()];
    const notes = [
      await personalData.seal(payer, 'Ticket 4711'),
      'sealed:v1:x' as Sealed,
      await personalData.seal(erased, 'Ticket 4712'),
    ];
    await personalData.erase(erased);
    gateway.bus.on(ListFailedReturns, () => ({ items: notes.map(proposed), next: null }));
    const answer = await listed();
    expect(answer.statusCode).toBe(200);
    const found = answer.json<{ 'failed-returns': { settlement: { note: string } }[] }>()['failed-returns'];
    expect(found.map(({ settlement }) => settlement.note)).toEqual(['Ticket 4711', '[unavailable]', '[erased]']);
  });

  it('fails as a whole if the keys cannot be read now, because the notes are not damaged', async () => {
    const { personalData } = gateway.engines;
    const open = jest.spyOn(personalData, 'open').mockRejectedValue(new Error('the key store is away'));
    gateway.bus.on(ListFailedReturns, () => ({ items: [proposed('sealed:v1:x' as Sealed)], next: null }));
    const { statusCode } = await listed();
    open.mockRestore();
    expect(statusCode).toBe(500);
  });
});
