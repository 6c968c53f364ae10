set -euo pipefail
# #region code
key=$(openssl rand -hex 16) # store the key first: a repetition with the same key does not pay again
curl -sS --fail-with-body -w '\n' "$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/withdrawals" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $key" \
  -d '{"asset":"fiat/brl","method":"pix","amount":"10.00","pix-key":"maria@pix.example"}'
# #endregion code
