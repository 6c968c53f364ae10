import type { Sealed } from '@ponte/event-sourcing';
import { ERASED, isSealed, SealBroken } from '@ponte/event-sourcing';
import { holderIdOf, otherPayeeIdOf } from '../onboarding/sealing';
import type { WebhookEventType } from './webhook-events';
import type { PublishedEnvelope } from './outbox-events';
import { openedPayload } from './wire';

const WITHDRAWAL = '0190f8a0-5c1e-8b3a-9d2f-3f6a1c0e4b01';
const HOLDER = holderIdOf('f');
const STRANGER = otherPayeeIdOf(WITHDRAWAL);
const CPF = '52998224725';
const MASKED_CPF = '***.982.247-**';

const sealed = (subject: string, text: string): Sealed => `sealed:v1:${subject}:${text}`;
const personalData = { open: async (text: string) => text.split(':')[3] ?? '' };
const party = (side: 'source' | 'target', subject: string, taxId = CPF) => ({
  [`${side}-legal-name`]: sealed(subject, 'Ana Duarte'),
  [`${side}-tax-id`]: sealed(subject, taxId),
  [`${side}-bank-code`]: '12345678',
  [`${side}-branch-code`]: sealed(subject, '0042'),
  [`${side}-account-number`]: sealed(subject, '987654-3'),
});

async function received(eventType: WebhookEventType, payload: PublishedEnvelope['payload']) {
  return (await openedPayload({ eventType, payload }, personalData)).payload;
}

// The bank returns a payout: the sender of the deposit is the payee of the withdrawal.
describe('the sender of a payout that the bank returned', () => {
  const returned = (subject: string, taxId?: string) =>
    received('deposit-processed', { 'withdrawal-id': WITHDRAWAL, ...party('source', subject, taxId) });

  it('is masked if the payee is not the holder of the account', async () => {
    expect(await returned(STRANGER)).toEqual({
      'withdrawal-id': WITHDRAWAL,
      'source-legal-name': '***',
      'source-tax-id': MASKED_CPF,
      'source-bank-code': '12345678',
      'source-branch-code': '***',
      'source-account-number': '***',
    });
    expect(await returned(STRANGER, '12ABC34501DE35')).toMatchObject({ 'source-tax-id': '**.ABC.345/****-**' });
    expect(await returned(STRANGER, ERASED)).toMatchObject({ 'source-tax-id': ERASED });
  });

  it('is shown if the payee is the holder', async () => {
    expect(await returned(HOLDER)).toMatchObject({
      'source-legal-name': 'Ana Duarte',
      'source-tax-id': CPF,
      'source-account-number': '987654-3',
    });
  });
});

describe('the payee of a withdrawal', () => {
  const paid = (method: 'pix' | 'ted', subject: string) =>
    received('withdraw-completed', { 'withdraw-id': WITHDRAWAL, method, ...party('target', subject) });

  // The partner knows only the key: the tax id of its owner is from the directory.
  it('has a masked tax id if it is the owner of a Pix key and not the holder of the account', async () => {
    expect(await paid('pix', STRANGER)).toMatchObject({
      'target-legal-name': 'Ana Duarte',
      'target-tax-id': MASKED_CPF,
      'target-branch-code': '0042',
      'target-account-number': '987654-3',
    });
  });

  it('has its tax id in clear if it is the holder, or if the partner sent it for a TED', async () => {
    for (const fields of [await paid('pix', HOLDER), await paid('ted', STRANGER)])
      expect(fields).toMatchObject({ 'target-tax-id': CPF });
  });
});

it('the sender of any other credited deposit is shown, because it is the holder', async () => {
  expect(await received('deposit-processed', party('source', HOLDER))).toMatchObject({ 'source-tax-id': CPF });
});

it('the tax id of the sender of a voided deposit is masked', async () => {
  const taxIds = [CPF, '12ABC34501DE35', ERASED, 'anything'];
  const shown = taxIds.map((one) => received('deposit-voided', { 'source-tax-id': sealed('p', one) }));
  expect((await Promise.all(shown)).map((fields) => fields['source-tax-id'])).toEqual([
    MASKED_CPF,
    '**.ABC.345/****-**',
    ERASED,
    '***',
  ]);
});

describe('a text of the caller that looks like sealed data', () => {
  it('is not opened', async () => {
    const open = jest.fn(personalData.open);
    const payload = { 'withdraw-id': WITHDRAWAL, 'external-id': sealed('other', 'secret') };
    for (const fields of [payload, { ...payload, ...party('target', HOLDER) }]) {
      const opened = await openedPayload({ eventType: 'withdraw-completed', payload: fields }, { open });
      expect(opened.payload).toMatchObject(payload);
    }
    expect(open.mock.calls).toEqual(
      Object.values(party('target', HOLDER))
        .filter(isSealed)
        .map((one) => [one]),
    );
  });
});

describe('a field that cannot be decrypted', () => {
  const payload = {
    'deposit-id': 'd',
    'source-legal-name': sealed('lost', 'Maria'),
    'source-tax-id': sealed('p', CPF),
  };
  const opening = (error: Error) => ({
    open: async (value: Sealed) => {
      if (value === payload['source-legal-name']) throw error;
      return personalData.open(value);
    },
  });

  it('reads `[unavailable]`, is named, and does not hide the others', async () => {
    const opened = await openedPayload({ eventType: 'deposit-processed', payload }, opening(new SealBroken()));
    expect(opened.payload).toEqual({ ...payload, 'source-legal-name': '[unavailable]', 'source-tax-id': CPF });
    expect(opened.unreadable).toEqual(['source-legal-name']);
    expect(opened.personal).toEqual([CPF]);
  });

  it('is an error when the keys cannot be read now', async () => {
    const opened = openedPayload({ eventType: 'deposit-processed', payload }, opening(new Error('no database')));
    await expect(opened).rejects.toThrow('no database');
  });
});
