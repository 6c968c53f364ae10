/** What the simulated bank does with a payment. */
export type PaymentFate =
  | 'prompt'
  /** The first request times out and has no effect; a repeat under the same id succeeds. */
  | 'unheard'
  /** The first request times out, but the payment is made. */
  | 'paid-unanswered'
  /** Accepted at once, completed only after a few reads. */
  | 'late'
  /** Completed at once; notices are sent twice, and one is sent before the payment is made. */
  | 'repeated'
  | 'refused'
  /** Accepted at first, then refused. */
  | 'refused-late'
  /** Completed, then sent back by the payee's bank days later. */
  | 'returned'
  /** Pending until the sandbox settles it. */
  | 'held'
  /** The bank reports an error at first. */
  | 'failing';

/** Centavos that choose what happens to a payment in the sandbox; any other amount is paid at once. */
export const MAGIC_CENTAVOS: Readonly<Record<string, PaymentFate>> = {
  '90': 'held',
  '91': 'unheard',
  '92': 'paid-unanswered',
  '93': 'late',
  '94': 'repeated',
  '95': 'refused',
  '96': 'refused-late',
  '97': 'returned',
  '98': 'failing',
};
