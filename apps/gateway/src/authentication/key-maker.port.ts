/** Creates the credentials that staff give to a partner. */
export interface KeyMaker {
  /** A new API key id of this environment. */
  keyId(): string;
  /** The bearer secret of a sandbox key. It is returned once and stored as a hash. */
  bearerSecret(keyId: string): string;
}
