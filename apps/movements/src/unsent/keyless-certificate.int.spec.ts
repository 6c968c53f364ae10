import 'reflect-metadata';
import type { TransactionGivenUp } from '@ponte/contracts';
import { NoncesAllocated } from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { signerKeyId } from '../signer-key/signer-key.decider';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { uuid } from '../testing/certificates-under-test';
import { transactionIdOf } from '../transactions/chain-transaction.state';

const CHAIN = 'eth-base';
const service = CertificatesForEachTest.of();

/** An operator's command has withheld the nonce of the mint, and ended before it gave up the transaction. */
async function withheld(certificateId: string): Promise<void> {
  const address = await new SimulatedSigner().addressOf('operator');
  const { type, data } = new NoncesAllocated({
    chain: CHAIN,
    address,
    first: 0,
    transactionIds: [],
    withheld: [transactionIdOf({ kind: 'certificate-mint', id: certificateId })],
    reason: 'key-unavailable',
  });
  const meta = { commandId: 'hold', index: 0, count: 1, occurredAt: '2026-01-01T00:00:00.000Z', correlationId: 'hold' };
  await service.store.append(`signerKey-${signerKeyId(CHAIN, address)}`, -1, [
    { id: eventId('hold', 0), type, version: 1, data, meta },
  ]);
  await service.restart();
}

it('the mint of a certificate fails when the command of an operator was cut short, and movements has its key', async () => {
  const certificateId = uuid();
  await withheld(certificateId);
  const { movements } = service;
  await movements.issue({ certificateId });
  await movements.standing(certificateId, 'failed');
  expect(movements.ofType('TransactionGivenUp').map(({ data }) => data as TransactionGivenUp['data'])).toMatchObject([
    { reason: 'key-unavailable', statement: { actor: 'movements' } },
  ]);
  expect(movements.ofType('TransactionSigned')).toEqual([]);
  await movements.minted();
});
