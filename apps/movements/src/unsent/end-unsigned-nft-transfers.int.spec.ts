import { ListWithdrawals } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { OPERATOR_DUTIES } from '@ponte/nest';
import type { OperatorDuty } from '@ponte/operator';
import { eventually } from '@ponte/testing';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import { OWNER } from '../testing/certificates-under-test';
import { OUTSIDE } from '../testing/transfers-under-test';

const service = CertificatesForEachTest.of();
beforeEach(() => {
  service.movements.bus.handle(ListWithdrawals.pattern, async () => ({ items: [], next: null }));
});
afterEach(() => jest.restoreAllMocks());

/** Executes the operator's command. */
const endUnsigned = (): Promise<string> => {
  const duties = service.movements.part<Map<string, OperatorDuty>>(OPERATOR_DUTIES, { strict: false });
  const duty = duties.get('movements end-unsigned') as OperatorDuty;
  return duty.carryOut({ account: OWNER }, new AbortController().signal);
};

describe('movements end-unsigned', () => {
  it('ends an NFT transfer of a frozen account that waits unsigned, and the certificate is active again', async () => {
    const { movements } = service;
    const certificate = await movements.minted();
    const fees = jest.spyOn(service.chains.base, 'feeQuote').mockRejectedValue(new Unavailable('chain-unavailable'));
    const { id } = await movements.transfer(certificate, OUTSIDE);
    await eventually(() => expect(movements.ofType('TransactionIntended')).toHaveLength(2));
    movements.statuses.set(OWNER, 'frozen');
    expect(await endUnsigned()).toBe(`NFT transfer ${id} is given up: it fails as soon as its event is handled`);
    expect(await movements.ended(id)).toMatchObject({
      state: 'failed',
      txHash: null,
      failure: { code: 'account-not-active' },
    });
    await movements.standing(certificate.id, 'active');
    expect(await endUnsigned()).toBe(`account ${OWNER} has no open transfer, NFT transfer or token withdrawal`);
    fees.mockRestore();
    movements.statuses.set(OWNER, 'active');
    const again = await movements.transfer(certificate, OUTSIDE);
    expect(await movements.ended(again.id)).toMatchObject({ state: 'completed' });
    expect(movements.ofType('TransactionSigned')).toHaveLength(2);
  });

  it('leaves an NFT transfer that is signed, and names it', async () => {
    const { movements } = service;
    const certificate = await movements.minted();
    jest.spyOn(service.chains.base, 'broadcast').mockResolvedValue({ outcome: 'unknown', message: 'not sent' });
    const { id } = await movements.transfer(certificate, OUTSIDE);
    await eventually(() => expect(movements.ofType('TransactionSigned')).toHaveLength(2));
    movements.statuses.set(OWNER, 'frozen');
    expect(await endUnsigned()).toBe(`NFT transfer ${id} is being sent: wait until it ends`);
    jest.restoreAllMocks();
    expect(await movements.ended(id)).toMatchObject({ state: 'completed' });
  });
});
