set -euo pipefail
# #region code
curl -sS --fail-with-body "$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/withdrawals" \
  -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: $(openssl rand -hex 16)" \
  -d '{"asset":"fiat/brl","method":"pix","amount":"10.00","pix-key":"maria@pix.example"}'
# #endregion code
