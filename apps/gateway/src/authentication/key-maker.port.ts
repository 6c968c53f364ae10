/** Makes what staff hand to a partner. */
export interface KeyMaker {
  /** A new API key id of this environment. */
  keyId(): string;
  /** The bearer secret of a sandbox key: shown once, stored hashed. */
  bearerSecret(keyId: string): string;
}
