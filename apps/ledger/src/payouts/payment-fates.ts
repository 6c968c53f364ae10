/** What becomes of a payment at the simulated bank. */
export type PaymentFate =
  | 'prompt'
  /** The first request times out and has no effect; one under the same id is carried out. */
  | 'unheard'
  /** The first request times out, but the payment is made. */
  | 'paid-unanswered'
  /** Accepted at once, completed only when it has been asked for a few times. */
  | 'late'
  /** Completed at once; the notices come twice, and one before the payment is made. */
  | 'repeated'
  | 'refused'
  /** Accepted at first, and refused later. */
  | 'refused-late'
  /** Completed, and sent back by the payee's bank days later. */
  | 'returned'
  /** Pending until someone advances it. */
  | 'held'
  /** The bank reports an error at first. */
  | 'failing';

/** Centavos that decide the fate of a payment in the sandbox; any other amount is paid at once. */
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
