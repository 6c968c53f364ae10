/** The output of each successful snippet. The order matters, because snippets use the results of earlier ones. */
export const EXPECTED: readonly (readonly [string, RegExp])[] = [
  ['quickstart', /100\.00 BRL buys 100\.0+ BRLV[^]*Pay this code: 000201[^]*The order is completed\./],
  ['pix-key-order', /The order is completed, and the BRL is delivered\./],
  ['deposit', /000201[^]*running-balance/],
  ['withdrawal', /created|processing/],
  ['transfer', /created|pending/],
  ['certificate', /The certificate is transferred\./],
  ['events', /^\d+ [a-z-]+ [0-9a-f-]{36}$/m],
  ['idempotency', /idempotency-(replayed|key-reused)|true\nThe key belongs/i],
  ['pages', /^[0-9a-f-]{36}\n[0-9a-f-]{36}$/m],
];
