import { derivedId } from '@ponte/kernel';
import type { CertificateChain, EvmChain } from '../chain/chain.port';
import { referenceOf } from '../token-movement/chain-values.domain';
import { certificateCallOf } from './certificate-purpose';

const [id, certificateId, walletId] = ['movement', 'certificate', 'wallet'].map((name) =>
  derivedId('certificate-call', name),
) as [string, string, string];
const [from, to] = [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`] as const;

/** A chain that returns what it was asked for instead of a call. */
const echoChain: Pick<CertificateChain, 'mintCall' | 'sendCall'> = {
  mintCall: (...given) => ({ minted: given }) as never,
  sendCall: (...given) => ({ sent: given }) as never,
};
const callOf = (purpose: Parameters<typeof certificateCallOf>[1]) =>
  certificateCallOf({ certificates: echoChain } as unknown as EvmChain, purpose);

describe('the contract call of a certificate', () => {
  it('mints the token of the certificate to its wallet', () => {
    expect(callOf({ kind: 'certificate-mint', id, accountId: 'a', to })).toEqual({ minted: [referenceOf(id), to] });
  });

  it('sends the token of the certificate from its wallet to the target, with the movement as its reference', () => {
    expect(callOf({ kind: 'nft-movement', id, accountId: 'a', certificateId, walletId, from, to })).toEqual({
      sent: [
        {
          reference: referenceOf(id),
          certificate: referenceOf(certificateId),
          wallet: referenceOf(walletId),
          to,
        },
      ],
    });
  });
});
