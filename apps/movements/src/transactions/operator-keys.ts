/** Hex digits of an id that choose the key: ids of transactions are hashed, so keys share the work evenly. */
const DIGITS = 6;

/** The operator key that a transaction is intended for. The same transaction gets the same key as long as there are as many keys. */
export function operatorKeyFor(transactionId: string, keyIds: readonly string[]): string {
  const keyId = keyIds[Number.parseInt(transactionId.slice(-DIGITS), 16) % keyIds.length];
  if (keyId === undefined) throw new Error('there is no operator key');
  return keyId;
}
