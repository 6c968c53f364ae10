import type { Failure } from '@ponte/contracts';
import { FAILURES } from '../transfer/transfer.errors';

/** Failures of an NFT transfer, as shown to its account. */
export const NFT_FAILURES = {
  ...FAILURES,
  refused: {
    code: 'target-refused',
    message: 'The target contract does not accept the certificate. Nothing was moved.',
    retryable: false,
  },
  notOwned: {
    code: 'certificate-not-owned',
    message: 'The source wallet does not hold the certificate on the chain. Nothing was moved.',
    retryable: true,
  },
} as const satisfies Record<string, Failure>;

const NOT_OWNED: ReadonlySet<string> = new Set([
  'ERC721InsufficientApproval',
  'ERC721IncorrectOwner',
  'ERC721NonexistentToken',
]);

/** The node's reason of a revert is only a hint for people. That the transaction reverted is certain. */
export function failureOfNftRevert(reason: string): Failure {
  if (reason === 'ERC721InvalidReceiver') return NFT_FAILURES.refused;
  return NOT_OWNED.has(reason) ? NFT_FAILURES.notOwned : NFT_FAILURES.reverted;
}
