import 'reflect-metadata';
import { DepositConfirmed, DepositCreated, DepositCredited } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { AT, CHILD, PARTNER } from './testing/fixtures';
import { SendingUnderTest } from './testing/sending-under-test';

/** Sealed for a person whose key is lost. */
const lost = (text: string): Sealed =>
  `sealed:v1:lost-person:${Buffer.from(text.padEnd(40)).toString('base64')}` as const;

describe('a webhook with personal fields that cannot be decrypted', () => {
  const sending = new SendingUnderTest();

  it('is delivered with `[unavailable]` instead of them', async () => {
    const { webhooks, receiver } = sending;
    await webhooks.endpoint(receiver, '/lost', CHILD);
    const depositId = derivedId('deposit', 'lost');
    const common = {
      depositId,
      accountId: CHILD,
      type: 'pix',
      asset: 'fiat/brl',
      amount: '5.00',
      orderId: null,
    } as const;
    const coordinates = {
      sourceTaxId: lost('tax id'),
      sourceTaxIdFingerprint: 'f',
      sourceLegalName: lost('name'),
      sourceBankCode: '12345678',
      sourceType: 'checking',
      sourceAccountNumber: lost('account'),
      sourceBranchCode: lost('branch'),
      target: 'T',
    } as never;
    const of = { ...common, coordinates };
    await webhooks.append(
      `deposit-${depositId}`,
      NO_STREAM,
      new DepositCreated({ ...of, parentId: PARTNER, endToEndId: 'E1', settledAt: AT, createdAt: AT }),
      new DepositConfirmed({ depositId, accountId: CHILD, confirmedAt: AT }),
      new DepositCredited({ ...of, processedAt: AT } as never),
    );
    await eventually(async () => expect(receiver.delivered('/lost')).toHaveLength(1));
    expect(receiver.delivered('/lost')[0]?.body).toMatchObject({
      'event-type': 'deposit-processed',
      payload: { 'source-legal-name': '[unavailable]', 'source-bank-code': '12345678' },
    });
    await eventually(async () =>
      expect((await webhooks.deliveries()).map(({ state }) => state)).toEqual(['succeeded']),
    );
  });
});
