set -euo pipefail
# #region code
next="$PONTE_BASE_URL/api/v1/accounts/$PONTE_ACCOUNT_ID/orders?limit=1&state=completed"
while [ -n "$next" ]; do
  page=$(curl -sS --fail-with-body -D /tmp/headers.$$ "$next" -H "Authorization: Bearer $PONTE_API_KEY") ||
    { echo "$page" >&2; exit 1; }
  echo "$page" | jq -r '.orders[].id'
  next=$(sed -n 's/^[Ll]ink: <\(.*\)>; rel="next".*/\1/p' /tmp/headers.$$)
  case "$next" in /*) next="$PONTE_BASE_URL$next" ;; esac
done
rm -f /tmp/headers.$$
# #endregion code
