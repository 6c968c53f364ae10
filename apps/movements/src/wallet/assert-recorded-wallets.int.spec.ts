import type { EvmChain, Hex } from '../chain/chain.port';
import type { ServedChains } from '../chain/served-chains.port';
import { SERVED_CHAINS } from '../chain/served-chains.port';
import { CertificatesForEachTest } from '../testing/certificates-for-each-test';
import type { CertificatesUnderTest } from '../testing/certificates-under-test';
import { OWNER } from '../testing/certificates-under-test';
import { assertRecordedWallets } from './assert-recorded-wallets';
import { WalletReadModel } from './wallets.read-model';

const service = CertificatesForEachTest.of();
let movements: CertificatesUnderTest;
beforeEach(() => {
  movements = service.movements;
});

/** The chains of the service, with another custody contract on eth-base. */
function withOtherCustody(chains: ServedChains): ServedChains {
  const other = { walletAddress: (): Hex => `0x${'ee'.repeat(20)}` };
  const all = chains.all.map((one) =>
    one.evm.chain === 'eth-base' ? { ...one, evm: Object.assign(Object.create(one.evm) as EvmChain, other) } : one,
  );
  return { ...chains, all };
}

describe('the custody contract of a chain', () => {
  it('must give a recorded wallet its recorded address', async () => {
    const [chains, wallets] = [movements.part<ServedChains>(SERVED_CHAINS), movements.part(WalletReadModel)];
    await expect(assertRecordedWallets(withOtherCustody(chains), wallets)).resolves.toBeUndefined();
    const address = await movements.wallet(OWNER);
    await expect(assertRecordedWallets(chains, wallets)).resolves.toBeUndefined();
    await expect(assertRecordedWallets(withOtherCustody(chains), wallets)).rejects.toThrow(
      `but its customer has ${address}: configure the deployment with which the wallets were created`,
    );
  });
});
