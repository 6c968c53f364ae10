import type { Failure } from '@ponte/contracts';

/** The failure of a movement whose target has become an address where tokens would be lost. */
export const TARGET_LOST = {
  code: 'invalid-address',
  message: 'Nothing would be credited at the target address any more. Nothing was moved.',
  retryable: false,
} as const satisfies Failure;
