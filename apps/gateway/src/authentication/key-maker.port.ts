/**
 * Creates the credentials that staff give to a partner. They derive from the id of the command, so that a repeated
 * command creates no second key.
 */
export interface KeyMaker {
  /** The id of the API key that the command creates in this environment. */
  keyId(commandId: string): string;
  /** The bearer secret of this sandbox key. It is stored as a hash, and only a repeated command shows it again. */
  bearerSecret(keyId: string, commandId: string): string;
}
