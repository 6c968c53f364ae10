set -euo pipefail
# #region code
key="payout-$(openssl rand -hex 16)"
for attempt in 1 2; do
  curl -sS --fail-with-body -D - -o /dev/null "$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/withdrawals" \
    -H "Authorization: Bearer $PONTE_API_KEY" -H 'Content-Type: application/json' -H "Idempotency-Key: $key" \
    -d '{"asset":"fiat/brl","method":"pix","amount":"1.00","pix-key":"maria@pix.example"}' |
    grep -i '^idempotency-replayed' || echo "attempt $attempt moved the money"
done
# #endregion code
