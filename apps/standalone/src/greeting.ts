import type { SandboxFile } from './sandbox-file';

/** The text that is printed when the sandbox is ready. */
export const greeting = (sandbox: SandboxFile, dataDirectory: string, seconds: number): string => `
Ponte sandbox, ready in ${seconds.toFixed(1)} s

  address      ${sandbox['base-url']}
  guides       ${sandbox.docs} (the first start builds them; until then this shows the API reference)
  reference    ${sandbox['base-url']}/docs/reference#key=${sandbox['api-key']}
  console      ${sandbox.console} (sign in as ${sandbox.staff[0]?.name ?? 'staff'}; passwords are in sandbox.json)
  API key      ${sandbox['api-key']}
  partner      ${sandbox['account-id']}
  sub-account  ${sandbox['subaccount-id']}
  wallet       ${sandbox['wallet-address']} (eth-base)

These values are also in ${dataDirectory}/sandbox.json. Press Ctrl-C to stop; data is kept for the next start.

  curl -s ${sandbox['base-url']}/api/v1/accounts/${sandbox['subaccount-id']}/quotes \\
    -H 'Authorization: Bearer ${sandbox['api-key']}' -H 'Content-Type: application/json' \\
    -d '{"source-asset":"fiat/brl","target-asset":"eth-base/brlv","source-amount":"100.00"}'
`;
