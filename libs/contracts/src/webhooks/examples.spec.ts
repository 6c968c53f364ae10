import { exampleEvent } from './webhook-event-schemas';
import type { WebhookEventType } from './webhook-events';
import { WEBHOOK_EVENT_TYPES, WEBHOOK_EVENTS } from './webhook-events';

interface Example {
  readonly payload: Readonly<Record<string, unknown>>;
  readonly 'account-id': string;
  readonly 'resource-type': string;
  readonly 'resource-id': string;
  readonly sequence: number;
  readonly 'previous-state'?: string;
}
const example = (type: WebhookEventType) => exampleEvent(type) as unknown as Example;
const payload = (type: WebhookEventType) => example(type).payload;

/** The field of a payload with the id of its resource. */
const OWN_ID: Readonly<Record<string, string>> = {
  order: 'order-id',
  deposit: 'deposit-id',
  withdrawal: 'withdraw-id',
  'account-request': 'account-request-id',
  account: 'account-id',
  transfer: 'transfer-id',
  'nft-transfer': 'transfer-id',
  'webhook-endpoint': 'webhook-endpoint-id',
  'webhook-ping': 'webhook-endpoint-id',
};
const ACCOUNT_IDS = ['account-id', 'subaccount-id', 'created-by'];

describe('the example of a webhook', () => {
  it.each(WEBHOOK_EVENT_TYPES)('%s has the ids of its resource and of its account, and other ids differ', (type) => {
    const { payload: fields, ...event } = example(type);
    const own = OWN_ID[event['resource-type']] as string;
    if (own in fields) expect(fields[own]).toBe(event['resource-id']);
    for (const name of ACCOUNT_IDS)
      if (name in fields) expect([name, fields[name]]).toEqual([name, event['account-id']]);
    const others = Object.entries(fields).filter(
      ([name]) => name.endsWith('-id') && name !== own && !ACCOUNT_IDS.includes(name),
    );
    const ids = [event['resource-id'], ...others.map(([, id]) => id)];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('has the number of the event among those of its resource that are published', () => {
    const numbered = WEBHOOK_EVENT_TYPES.map((type) => `${type} ${example(type).sequence}`);
    expect(numbered).toEqual([
      'deposit-processed 1',
      'deposit-voided 1',
      'order-created 1',
      'order-processing 2',
      'order-completed 3',
      'order-rolled-back 3',
      'withdraw-processing 1',
      'withdraw-completed 2',
      'withdraw-rolled-back 2',
      'token-transfer-pending 1',
      'token-transfer-completed 2',
      'token-transfer-failed 2',
      'nft-transfer-completed 1',
      'nft-transfer-failed 1',
      'account-approved 4',
      'account-rejected 4',
      'account-request-updated 3',
      'account-updated 1',
      'webhook-ping 1',
      'webhook-endpoint-disabled 1',
    ]);
  });

  it('of a deposit pays an order or returns a withdrawal, not both', () => {
    for (const type of ['deposit-processed', 'deposit-voided'] as const) {
      expect(payload(type)).toHaveProperty('order-id');
      expect(payload(type)).not.toHaveProperty('withdrawal-id');
    }
  });

  it('of an order has a wallet for each token only, and a delivery only for BRL', () => {
    for (const type of ['order-created', 'order-completed'] as const) {
      const fields = payload(type);
      for (const side of ['source', 'target']) {
        const isToken = !String(fields[`${side}-asset`]).startsWith('fiat/');
        expect([side, `${side}-wallet-address` in fields]).toEqual([side, isToken]);
      }
      expect('delivery' in fields && fields['target-asset'] !== 'fiat/brl').toBe(false);
    }
  });

  it('of a movement has two wallets, and of a deadline one that has not passed', () => {
    // An order has one wallet: the other side of its pair is BRL.
    const kinds = WEBHOOK_EVENT_TYPES.map((type) => WEBHOOK_EVENTS[type]).filter(
      ({ resource }) => resource !== 'order',
    );
    for (const fields of kinds.flatMap(({ forms }) => forms))
      for (const side of ['wallet-address', 'address']) {
        const [from, to] = [fields[`source-${side}`], fields[`target-${side}`]];
        if (from && to) expect(from.schema['examples']).not.toEqual(to.schema['examples']);
      }
    const { 'updated-at': updated, 'information-due-at': due } = payload('account-request-updated');
    expect(String(due) > String(updated)).toBe(true);
  });

  it('of a withdrawal is one that a partner requested', () => {
    for (const type of ['withdraw-processing', 'withdraw-completed', 'withdraw-rolled-back'] as const) {
      expect(payload(type)).toHaveProperty('external-id');
      expect(payload(type)).not.toHaveProperty('order-id');
    }
  });

  it('of a failure has a code of its resource', () => {
    const codes = WEBHOOK_EVENT_TYPES.flatMap((type) => {
      const failure = payload(type)['failure'] as { code: string } | undefined;
      return failure ? [`${type} ${failure.code}`] : [];
    });
    expect(codes).toEqual([
      'order-rolled-back settlement-failed',
      'withdraw-rolled-back bank-refused',
      'token-transfer-failed transfer-reverted',
      'nft-transfer-failed transfer-reverted',
    ]);
  });

  it('of a pending account request does not say why it ended', () => {
    expect(payload('account-request-updated')).toMatchObject({ status: 'pending' });
    expect(payload('account-request-updated')).not.toHaveProperty('reason');
  });
});
