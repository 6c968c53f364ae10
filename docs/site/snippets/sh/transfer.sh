set -euo pipefail
# #region code
key=$(openssl rand -hex 16) # store the key first: a repetition with the same key does not pay again
api="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID"
wallets=$(curl -sS --fail-with-body "$api/wallets?assets=eth-base/brlv" -H "Authorization: Bearer $PONTE_API_KEY") ||
  { echo "$wallets" >&2; exit 1; }
# Orders are delivered to the account's first wallet on a chain. The list is newest first.
wallet=$(echo "$wallets" | jq -r '.wallets[-1].address')

curl -sS --fail-with-body -w '\n' "$api/transfers" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $key" \
  -d "{\"asset\":\"eth-base/brlv\",\"amount\":\"1.5\",\"source-address\":\"$wallet\",
       \"target-address\":\"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf\"}"
# #endregion code
