import { OtlpCollector } from '@ponte/testing';
import type { ReceivedWebhook, WebhookReceiver } from '../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../demo/webhook-receiver';
import { Client } from './client';
import { Customer } from './customer';
import { Operator } from './operator';
import { HOLDER } from './privacy-people';
import type { Running } from './program';
import { Program, SIMULATED } from './program';

/** The running program, which writes all logs and traces, with the account of the holder and its parent. */
export interface PrivacyUnderTest {
  readonly running: Running;
  readonly collector: OtlpCollector;
  readonly operator: Operator;
  readonly customer: Customer;
  /** The partner of the customer's parent account. */
  readonly partner: Client;
  /** Receives the customer's webhooks. */
  readonly own: WebhookReceiver;
  /** Receives the parent account's webhooks. */
  readonly parents: WebhookReceiver;
  close(): Promise<void>;
}

export const startPrivacyUnderTest = (): Promise<PrivacyUnderTest> => Program.setUp(startWith);

async function startWith(program: Program): Promise<PrivacyUnderTest> {
  const collector = await OtlpCollector.start();
  const running = await program.start(program.dataFolder(), {
    ...SIMULATED,
    PONTE_LOG_LEVEL: 'trace',
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
  });
  const [own, parents] = [await startWebhookReceiver(), await startWebhookReceiver()];
  const { 'account-id': parentId, 'api-key': apiKey, 'base-url': baseUrl } = running.sandbox;
  const operator = Operator.of(running);
  const partner = Client.bearer(baseUrl, apiKey);
  const accountId = await operator.openAccount({
    alias: 'a customer',
    'legal-name': HOLDER.name,
    'tax-id': HOLDER.taxId,
    'parent-id': parentId,
    'bank-account': { 'bank-code': '001', 'branch-number': '1234', 'account-number': HOLDER.bankAccount },
  });
  const customer = new Customer(Client.bearer(baseUrl, await operator.bearerKey(accountId, 'read-write')), accountId);
  own.useSecret(await customer.listen(own.url));
  parents.useSecret(await new Customer(partner, parentId).listen(parents.url));
  const close = async (): Promise<void> => {
    await Promise.all([customer.api, partner, operator.api].map((client) => client.close()));
    await program.close();
    await Promise.all([own, parents, collector].map((receiver) => receiver.close()));
  };
  return { running, collector, operator, customer, partner, own, parents, close };
}

/** The first webhook of this type that has arrived. */
export function about(receiver: WebhookReceiver, type: string): ReceivedWebhook {
  const event = receiver.verified.find((one) => one['event-type'] === type);
  if (!event) throw new Error(`no ${type} webhook has arrived`);
  return event;
}
