import type { CommandBus } from '@nestjs/cqrs';
import type { NftMovementPurpose, ServedPurpose, TokenMovementPurpose } from '@ponte/contracts';
import { TransactionGivenUp } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { WhenTransactionEndedSettleCertificate } from '../certificates/when-transaction-ended-settle-certificate.policy';
import { WhenTransactionEndedEndTransfer } from '../transfer/when-transaction-ended-end-transfer.policy';

const AT = '2026-03-01T12:00:00.000Z';
const execute = jest.fn((_command: { readonly payload: unknown }) => Promise.resolve());
const commands = { execute } as unknown as CommandBus;

/** The event that movements records when an operator gives up the transaction because of its key. */
const givenUp = (purpose: ServedPurpose): Recorded<TransactionGivenUp> => {
  const statement = { actor: 'ana', reason: 'burned' };
  const about = { transactionId: 't', chain: 'eth-base', reason: 'key-unavailable', statement } as const;
  const { type, data } = new TransactionGivenUp({ ...about, purpose, givenUpAt: AT });
  const meta = { commandId: 'c', index: 0, count: 1, occurredAt: AT, correlationId: 'c' };
  return {
    id: 'e',
    type,
    version: 1,
    data,
    meta,
    stream: 'chainTransaction-t',
    revision: 1,
    position: '1',
  } as Recorded<TransactionGivenUp>;
};
const sentPayloads = () => execute.mock.calls.map(([{ payload }]) => payload);

beforeEach(() => execute.mockClear());

describe('a transaction that was given up because of its key', () => {
  it('fails the mint of its certificate, without a hash', async () => {
    await new WhenTransactionEndedSettleCertificate(commands).handle(
      givenUp({ kind: 'certificate-mint', id: 'certificate', accountId: 'a', to: '0x1' }),
    );
    expect(sentPayloads()).toEqual([
      {
        certificateId: 'certificate',
        txHash: null,
        failure: expect.objectContaining({ code: 'mint-failed' }) as unknown,
      },
    ]);
  });

  it.each([
    ['token-movement', { owner: { kind: 'transfer', id: 'transfer' } }],
    ['nft-movement', { transferId: 'transfer' }],
  ] as const)('fails the transfer of its %s, which may be repeated', async (kind, owner) => {
    const terms = { kind, id: 'transfer', ...owner } as unknown as TokenMovementPurpose | NftMovementPurpose;
    await new WhenTransactionEndedEndTransfer(commands).handle(givenUp(terms));
    const failure = expect.objectContaining({ code: 'transfer-superseded', retryable: true }) as unknown;
    expect(sentPayloads()).toEqual([{ transferId: 'transfer', ended: true, txHash: null, failure }]);
  });
});
