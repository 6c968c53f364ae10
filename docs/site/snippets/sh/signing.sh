set -euo pipefail
# #region code
# An RSA key signs with RS256. PONTE_KEY_FILE is the private key (PEM), PONTE_KEY_ID the id of its public key.
path="/api/v1/accounts/$PONTE_ACCOUNT_ID/quotes"
body='{"source-asset":"fiat/brl","target-asset":"eth-base/brlv","source-amount":"100.00"}'

base64url() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
now=$(date +%s)
header='{"alg":"RS256","typ":"JWT"}'
claims=$(jq -nc --arg uri "$path" --arg sub "$PONTE_KEY_ID" --arg nonce "$(openssl rand -hex 16)" --argjson iat "$now" \
  --arg hash "$(printf %s "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)" \
  '{uri: $uri, method: "POST", nonce: $nonce, iat: $iat, exp: ($iat + 50), sub: $sub, "body-hash": $hash}')
signed="$(printf %s "$header" | base64url).$(printf %s "$claims" | base64url)"
signature=$(printf %s "$signed" | openssl dgst -sha256 -sign "$PONTE_KEY_FILE" | base64url)

curl -sS --fail-with-body -w '\n' "$PONTE_BASE_URL$path" \
  -H "X-API-Key: $PONTE_KEY_ID" -H "Authorization: Bearer $signed.$signature" \
  -H 'Content-Type: application/json' -d "$body"
# #endregion code
