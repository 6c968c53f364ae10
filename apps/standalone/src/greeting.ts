import type { SandboxFile } from './sandbox-file';

/** The text that is printed when the sandbox is ready. */
export const greeting = (sandbox: SandboxFile, dataDirectory: string, seconds: number): string => `
Ponte sandbox, ready in ${seconds.toFixed(1)} s

  address      ${sandbox['base-url']}
  documents    ${sandbox.docs} (guides; the first start builds them in the background)
  reference    ${sandbox['base-url']}/docs/reference#key=${sandbox['api-key']}
  console      ${sandbox.console} (sign in as ${sandbox.staff[0]?.name ?? 'staff'}; passwords are in sandbox.json)
  key          ${sandbox['api-key']}
  partner      ${sandbox['account-id']}
  sub-account  ${sandbox['subaccount-id']}
  wallet       ${sandbox['wallet-address']} (eth-base)

The same as JSON: ${dataDirectory}/sandbox.json. Ctrl-C stops it; the state stays.

  curl -s ${sandbox['base-url']}/api/v1/accounts/${sandbox['subaccount-id']}/quotes \\
    -H 'Authorization: Bearer ${sandbox['api-key']}' -H 'Content-Type: application/json' \\
    -d '{"source-asset":"fiat/brl","target-asset":"eth-base/brlv","source-amount":"100.00"}'
`;
