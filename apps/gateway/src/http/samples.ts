/** Values that the examples of the documents share. Nobody's. */
export const SAMPLE = {
  accountId: '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01',
  parentId: '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b00',
  quoteId: '0190f8a1-2b4c-7d5e-8f60-718293a4b5c6',
  orderId: '4b1f0f7e-9c55-8a3e-b1a4-9a5a3ad1c2d3',
  depositId: 'a3d5e7f9-1b2c-8d4e-9f60-8192a3b4c5d6',
  endpointId: '0190f8a2-0000-7000-8000-00000000e001',
  eventId: '7c9e6679-7425-80de-944b-e07fc1f90ae7',
  keyId: 'ak_test_0123456789abcdef01234567',
  wallet: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
  txHash: `0x${'4f'.repeat(32)}`,
  endToEndId: 'E1234567820260131120000000000001',
  time: '2026-01-31T12:00:00.000Z',
  later: '2026-01-31T12:15:00.000Z',
  brcode: '00020101021226760014br.gov.bcb.pix2554pix.example.com/qr/v2/9d36b84fc70b478fb95c12729b90ca255204000053039865802BR5919PONTE PAGAMENTOS SA6009SAO PAULO62070503***63047E0A',
  qrCode: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
} as const;
