/** Codes that one service refuses another's requests with. They never reach a client. */
export const INTERNAL_ERRORS = {
  'charge-closed': 'The Pix charge was closed before it was opened.',
  'charge-not-found': 'The Pix charge does not exist.',
  'charge-not-paid': 'The Pix charge has no payment to return.',
  'hold-not-open': 'The hold was released or used, or was placed with different terms.',
  'mint-already-requested': 'The mint was requested before with different terms.',
  'movement-already-requested': 'The movement on the chain was requested before with different terms.',
} as const satisfies Readonly<Record<string, string>>;

/** A code that is not in the public catalogue. */
export type InternalErrorCode = keyof typeof INTERNAL_ERRORS;
