import { eventually } from '@ponte/testing';
import { signed } from '../chain/adapters/chain-under-test.testing';
import type { ContractCall, Hex } from '../chain/chain.port';
import { OWNER, uuid } from '../testing/certificates-under-test';
import { signer } from '../testing/movements-under-test';
import { OUTSIDE, TransfersUnderTest } from '../testing/transfers-under-test';
import { referenceOf } from '../token-movement/chain-values.domain';

const service = TransfersUnderTest.forEachTest();
/** A transaction of another program that has one of the operator keys. */
const stolen = async (call: ContractCall) => {
  const { base } = service.chains;
  await base.broadcast((await signed(base, signer, 'operator-2', call)).raw);
};
const misused = async () => (await service.movements.gauge('ponte_references_misused_total'))['eth-base'] ?? 0;

describe('A certificate whose reference another transaction took', () => {
  it('is not confirmed by a mint to another address, which is counted', async () => {
    const certificateId = uuid();
    await stolen(service.chains.base.certificates.mintCall(referenceOf(certificateId), OUTSIDE as Hex));
    expect(await misused()).toBe(0);
    await service.movements.issue({ certificateId });
    await eventually(async () => expect(await misused()).toBeGreaterThan(0));
    expect(service.movements.ofType('TransactionConfirmed')).toEqual([]);
    await service.movements.standing(certificateId, 'issued');
  });

  it('is minted by a transaction of another program that mints it to its owner', async () => {
    const certificateId = uuid();
    const to = (await service.movements.wallet(OWNER)) as Hex;
    await stolen(service.chains.base.certificates.mintCall(referenceOf(certificateId), to));
    await service.movements.issue({ certificateId });
    await service.movements.standing(certificateId, 'active');
    expect(await misused()).toBe(0);
  });
});
