import {
  ConfirmSuspenseSettlement,
  GetFailedReturn,
  ListFailedReturns,
  ProposeSuspenseSettlement,
  RecordNoteView,
} from '@ponte/contracts';
import type { FailedReturn } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { freshId } from '@ponte/testing';
import { SAMPLE } from '../../api/samples';
import { STAFF } from '../../testing/staff-members';
import { codeOf } from '../../testing/use-gateway';
import { as, lastRequest, gateway, useSignedInStaff } from '../testing/staff-requests';

useSignedInStaff();

const TEXT = 'Ticket 4711: paid to the new account of Ana Secret';
const PAYER = freshId();
const proposed = (note: Sealed): FailedReturn => ({
  ...{ depositId: freshId(), cause: 'return-refused', status: 'proposed', accountId: null, withdrawalId: null },
  ...{ type: 'pix', asset: 'fiat/brl', amount: '100.00', endToEndId: SAMPLE.endToEndId, reason: 'unknown-target' },
  ...{ attempts: 5, failedAt: SAMPLE.time, settledAt: null, sending: null, sendingFailure: null },
  settlement: {
    ...{ proposal: 1, bankReference: 'E1', note, confirmedBy: null },
    ...{ proposedBy: SAMPLE.parentId, proposedAt: SAMPLE.time },
  },
});
interface Shown {
  readonly settlement: { readonly 'bank-reference': string; readonly note?: string };
}
const LIST = '/staff/v1/failed-returns';
const open = (name: Parameters<typeof as>[0] = 'approver', purpose = '?purpose=review') =>
  as(name, `${LIST}/${SAMPLE.depositId}${purpose}`);
/** The failed return that the ledger answers with. */
const answerWith = (note: Sealed) =>
  gateway.bus.on(GetFailedReturn, () => ({ failedReturn: proposed(note), payerId: PAYER }));
const views = () => gateway.bus.requestsOf(RecordNoteView).length;

describe('The note of a settlement', () => {
  it('is in no list and in no response to a step', async () => {
    const { personalData } = gateway.engines;
    const failed = proposed(await personalData.seal(PAYER, TEXT));
    gateway.bus.on(ListFailedReturns, () => ({ items: [failed], next: null }));
    gateway.bus.on(ProposeSuspenseSettlement, () => failed);
    gateway.bus.on(ConfirmSuspenseSettlement, () => failed);
    const path = `${LIST}/${SAMPLE.depositId}/settlement`;
    const before = views();
    for (const name of Object.keys(STAFF) as (keyof typeof STAFF)[]) {
      const list = await as(name, LIST);
      expect(list.json<{ 'failed-returns': Shown[] }>()['failed-returns']).toMatchObject([
        { settlement: { 'bank-reference': 'E1' } },
      ]);
      expect(list.body).not.toContain('note');
    }
    for (const step of [
      await as('operator', path, { 'bank-reference': 'E1', note: TEXT }),
      await as('approver', `${path}/confirm`, { proposal: 1 }),
    ])
      expect([step.statusCode, step.body.includes('note')]).toEqual([200, false]);
    expect(views()).toBe(before);
  });

  it('is shown for a purpose, once the view of the payer is recorded', async () => {
    answerWith(await gateway.engines.personalData.seal(PAYER, TEXT));
    expect(codeOf(await open('approver', ''))).toMatch(/^400 /);
    expect(codeOf(await open('operator'))).toBe('403 role-not-allowed');
    const before = views();
    for (const name of ['analyst', 'approver', 'auditor'] as const) {
      const opened = (await open(name)).json<{ 'failed-return': Shown }>();
      expect(opened['failed-return'].settlement.note).toBe(TEXT);
      expect(lastRequest(RecordNoteView)?.payload).toMatchObject({
        ...{ payerId: PAYER, staff: { staffId: STAFF[name].staffId }, purpose: 'review' },
      });
    }
    expect(views()).toBe(before + 3);
  });

  it('is not shown if the view is not recorded', async () => {
    answerWith(await gateway.engines.personalData.seal(PAYER, TEXT));
    gateway.bus.on(RecordNoteView, () => refuse('personal-data-restricted', 'an erasure was requested'));
    const refused = await open();
    gateway.bus.on(RecordNoteView, () => ({}));
    expect([codeOf(refused), refused.body.includes(TEXT)]).toEqual(['403 personal-data-restricted', false]);
  });

  it('is not viewed if no settlement is proposed', async () => {
    gateway.bus.on(GetFailedReturn, () => ({
      failedReturn: { ...proposed('sealed:v1:x' as Sealed), settlement: null },
      payerId: PAYER,
    }));
    const before = views();
    expect((await open()).json()).toMatchObject({ 'failed-return': { settlement: null } });
    gateway.bus.on(GetFailedReturn, () => null);
    expect(codeOf(await open())).toBe('404 failed-return-not-found');
    expect(views()).toBe(before);
  });

  it('does not hide the payment if it is damaged or erased', async () => {
    const { personalData } = gateway.engines;
    const erased = freshId();
    const erasedNote = await personalData.seal(erased, 'Ticket 4712');
    await personalData.erase(erased);
    const shown: (string | undefined)[] = [];
    for (const note of ['sealed:v1:x' as Sealed, erasedNote]) {
      answerWith(note);
      shown.push((await open()).json<{ 'failed-return': Shown }>()['failed-return'].settlement.note);
    }
    expect(shown).toEqual(['[unavailable]', '[erased]']);
  });

  it('fails as a whole if the keys cannot be read now, because the note is not damaged', async () => {
    const { personalData } = gateway.engines;
    answerWith('sealed:v1:x' as Sealed);
    const opening = jest.spyOn(personalData, 'open').mockRejectedValue(new Error('the key store is away'));
    const { statusCode } = await open();
    opening.mockRestore();
    expect(statusCode).toBe(500);
  });
});
