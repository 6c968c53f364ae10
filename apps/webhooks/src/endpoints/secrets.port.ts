/** Generates signing secrets. */
export interface Secrets {
  /** `whsec_` and the base64 of 32 random bytes (Standard Webhooks requires 24 to 64). */
  next(): string;
}

export const SECRETS = Symbol('Secrets');
