set -euo pipefail
# #region code
api="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID"
call() { # prints the answer, or the error
  local answer
  answer=$(curl -sS --fail-with-body -H "Authorization: Bearer $PONTE_API_KEY" "$@") ||
    { echo "$answer" >&2; return 1; }
  echo "$answer"
}
get() { call "$1"; }
post() { call "$1" -H 'Content-Type: application/json' -H "Idempotency-Key: $(openssl rand -hex 16)" -d "$2"; }

wallet=$(get "$api/wallets?assets=eth-base/brlv" | jq -r '.wallets[0].address')
issued=$(post "$PONTE_BASE_URL/api/v1/sandbox/reward-certificates" \
  "{\"account-id\":\"$PONTE_ACCOUNT_ID\",\"wallet-address\":\"$wallet\",\"amount\":\"100.00\"}")
id=$(echo "$issued" | jq -r '."reward-certificate".id')

# The list shows the certificate once its token is minted.
for _ in $(seq 60); do
  found=$(get "$api/reward-certificates?status=active" | jq --arg id "$id" 'any(."reward-certificates"[]; .id == $id)')
  [ "$found" = true ] && break
  sleep 1
done
[ "$found" = true ] || { echo 'The certificate was not minted within 60 seconds.' >&2; exit 1; }

transfer=$(post "$api/nft-transfers" "{\"reward-certificate-id\":\"$id\",\"source-address\":\"$wallet\",
  \"target-address\":\"0x7e5f4552091a69125d5dfcb7b8c2659029395bdf\"}")
for _ in $(seq 60); do
  state=$(get "$api/nft-transfers/$(echo "$transfer" | jq -r .transfer.id)" | jq -r .transfer.state)
  case $state in created | pending) sleep 1 ;; *) break ;; esac
done
[ "$state" = completed ] || { echo "The transfer is not completed. Its state is $state." >&2; exit 1; }
echo 'The certificate is transferred.'
# #endregion code
