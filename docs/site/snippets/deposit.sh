set -euo pipefail
# #region code
api="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID"

# The static code that funds the account, and its balance after a payment
curl -sS --fail-with-body "$api/deposits/pix" -H "Authorization: Bearer $PONTE_API_KEY" | jq -r .brcode
curl -sS --fail-with-body "$PONTE_BASE_URL/api/v1/sandbox/pix-payments" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -d "{\"account-id\":\"$PONTE_ACCOUNT_ID\",\"amount\":\"250.00\"}"
curl -sS --fail-with-body "$api/assets/brl/balance" -H "Authorization: Bearer $PONTE_API_KEY"
# #endregion code
