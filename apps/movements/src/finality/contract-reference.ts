import type { Hex, ReferenceTaker } from '../chain/chain.port';
import { referenceOf } from '../mint/mint.domain';
import type { Intent } from '../transactions/chain-transaction.state';

/** What the contract takes once for this intent. */
export function referenceIn({ purpose }: Intent): { readonly by: ReferenceTaker; readonly reference: Hex } {
  switch (purpose.kind) {
    case 'mint':
      return { by: 'minter', reference: referenceOf(purpose.id) };
    case 'redemption':
    case 'token-movement':
    case 'nft-movement':
      return { by: 'custody', reference: referenceOf(purpose.id) };
    case 'certificate-mint':
      return { by: 'certificates', reference: referenceOf(purpose.id) };
  }
}

/** The contracts' names for a reference that they have taken before. */
export const REFERENCE_TAKEN: ReadonlySet<string> = new Set(['ReferenceAlreadyMinted', 'ReferenceAlreadyMoved']);
