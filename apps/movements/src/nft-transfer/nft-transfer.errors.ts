import type { Failure } from '@ponte/contracts';
import { FAILURES } from '../transfer/transfer.errors';

/** Why an NFT transfer failed, for its account. */
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

/** What the node says of a revert is a help for people; that it was reverted is certain. */
export function failureOfNftRevert(reason: string): Failure {
  if (reason === 'ERC721InvalidReceiver') return NFT_FAILURES.refused;
  return NOT_OWNED.has(reason) ? NFT_FAILURES.notOwned : NFT_FAILURES.reverted;
}
