export type JsonSchema = Readonly<Record<string, unknown>>;

/** One field of a payload: its schema with a description and an example, and whether it may be absent. */
export interface PayloadField {
  readonly schema: JsonSchema;
  readonly optional: boolean;
  /** Whether the example of the whole payload has it. */
  readonly inExample: boolean;
}

export type PayloadFields = Readonly<Record<string, PayloadField>>;

const field = (schema: JsonSchema, description: string, example: unknown): PayloadField => ({
  schema: { ...schema, description, examples: [example] },
  optional: false,
  inExample: true,
});

/** A field that is absent when it does not apply. */
export const optional = (one: PayloadField): PayloadField => ({ ...one, optional: true });
/** A field that does not apply to the example of its payload. */
export const notInExample = (one: PayloadField): PayloadField => ({ ...one, optional: true, inExample: false });

/** The ids in examples: of the resource that the event is about, and of others. */
export const ID = '4b1f0f7e-9c55-8a3e-b1a4-9a5a3ad1c2d3';
export const OTHER = {
  order: '4b1f0f7e-9c55-8b60-a7c1-0d6a2f4e8b12',
  quote: '4b1f0f7e-9c55-7d21-8e0f-5c3b9a7d1e46',
  withdrawal: '4b1f0f7e-9c55-8c94-9f13-7e2d6b0a5c38',
  deposit: '4b1f0f7e-9c55-8d02-8a5b-6c9e1f3d7b24',
  certificate: '4b1f0f7e-9c55-7e5a-b2d4-1f8c3a6e9d70',
} as const;
export const ACCOUNT = '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01';
export const TIME = '2026-01-31T12:00:00.000Z';
const WALLET = '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf';
/** The other side of a movement. */
export const OTHER_WALLET = '0x2b5ad5c4795c026514f8317c7a215e218dccd6cf';

export const text = (description: string, example: string): PayloadField =>
  field({ type: 'string' }, description, example);
export const id = (description: string, example: string = ID): PayloadField =>
  field({ type: 'string', format: 'uuid' }, description, example);
export const time = (description: string, example = TIME): PayloadField =>
  field({ type: 'string', format: 'date-time' }, description, example);
export const amount = (description: string, example = '100.00'): PayloadField =>
  field({ type: 'string', pattern: '^\\d+(\\.\\d+)?$' }, description, example);
export const wallet = (description: string, example = WALLET): PayloadField => text(description, example);
export const oneOf = (values: readonly string[], description: string): PayloadField =>
  field({ type: 'string', enum: values }, description, values[0]);
/** A list of some of the values. */
export const someOf = (values: readonly string[], description: string, example: readonly string[]): PayloadField =>
  field({ type: 'array', items: { type: 'string', enum: values } }, description, example);

export const accountId = id('The account that the event is about', ACCOUNT);
export const asset = text('The asset', 'eth-base/brlv');
export const txHash = text('Transaction on the chain', `0x${'4f'.repeat(32)}`);

/** The partner's own reference, in every event of its resource. */
export const externalId: PayloadFields = {
  'external-id': optional(text('Your reference; absent if you sent none', 'invoice-0001')),
};
const endToEnd = text('Id of the payment at the bank: of a Pix, its end-to-end id', 'E12345678202601311200abcdef12345');
export const endToEndId: PayloadFields = { 'end-to-end-id': optional(endToEnd) };

export const createdBy: PayloadFields = {
  'created-by': id('Account of the API key that made the request', ACCOUNT),
  'created-by-api-key': optional(text('Id of that API key', 'ak_test_0123456789abcdef01234567')),
};

/** Why a resource failed or was rolled back. The example is a failure that a retry may not repeat. */
export const failure = (code: string, message: string): PayloadField =>
  field(
    {
      type: 'object',
      required: ['code', 'message', 'retryable'],
      additionalProperties: false,
      properties: { code: { type: 'string' }, message: { type: 'string' }, retryable: { type: 'boolean' } },
    },
    'Why it failed',
    { code, message, retryable: true },
  );

/** What happened to the BRL of an order to a Pix key. */
export const delivery: PayloadField = field(
  {
    type: 'object',
    required: ['state'],
    additionalProperties: false,
    properties: {
      state: { type: 'string', enum: ['delivered', 'kept-in-balance'] },
      reason: { type: 'string', description: 'Why the BRL stayed in the balance; absent if it was delivered' },
    },
  },
  'Whether the BRL was delivered to the Pix key; absent from an order without a Pix key',
  { state: 'delivered' },
);
