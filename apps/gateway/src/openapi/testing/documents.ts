import { startGateway, wholeDocument } from '../../testing/gateway-under-test';
import * as pairs from '../../api/pairs/pair.dto';
import * as backtests from '../../api/pricing-rules/backtest.dto';
import * as rules from '../../api/pricing-rules/rules.dto';
import * as explanations from '../../api/quotes/explanation.dto';
import * as creation from '../../api/accounts/account-creation.dto';
import * as accounts from '../../api/accounts/account.dto';
import * as limits from '../../api/accounts/limits.dto';
import * as balances from '../../api/balances/balance.dto';
import * as deposits from '../../api/deposits/deposit.dto';
import * as files from '../../api/files/file.dto';
import * as requests from '../../api/onboarding/account-request.dto';
import * as people from '../../api/onboarding/person.dto';
import * as asking from '../../api/onboarding/request.dto';
import * as externalWallets from '../../api/onboarding/external-wallet.dto';
import * as orders from '../../api/orders/order.dto';
import * as quotes from '../../api/quotes/quote.dto';
import * as reference from '../../api/reference/reference.dto';
import * as bank from '../../api/sandbox/bank.dto';
import * as clock from '../../api/sandbox/clock.dto';
import * as sandbox from '../../api/sandbox/sandbox.dto';
import * as staff from '../../console-api/staff.dto';
import * as apiKeys from '../../console-api/api-key.dto';
import * as withdrawals from '../../api/withdrawals/withdrawal.dto';
import * as withdrawalRequests from '../../api/withdrawals/withdrawal-request.dto';
import * as certificates from '../../api/certificates/certificate.dto';
import * as nftTransfers from '../../api/nft-transfers/nft-transfer.dto';
import * as staffCertificates from '../../console-api/certificates/certificate.dto';
import * as transfers from '../../api/transfers/transfer.dto';
import * as wallets from '../../api/wallets/wallet.dto';
import * as walletBalances from '../../api/wallets/wallet-balances.dto';
import * as signatures from '../../api/sandbox/signature-check.dto';
import * as faults from '../../api/sandbox/webhook-faults.dto';
import * as webhookDeliveries from '../../api/webhook-endpoints/webhook-delivery.dto';
import * as webhooks from '../../api/webhook-endpoints/webhook-endpoint.dto';
import * as replays from '../../api/webhook-endpoints/webhook-replay.dto';
import * as events from '../../api/webhook-events/account-event.dto';
import type { Shape } from '../../validation/fields';
import { ErrorDto } from '../error.dto';

export type Content = {
  'application/json': {
    schema: { $ref: string };
    examples: Record<string, { value: { error?: { code: string; details?: { path: string }[] } } }>;
  };
};
export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  deprecated: boolean;
  parameters: { name: string; in: string; schema: { enum?: readonly string[] } }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content; headers?: Record<string, { $ref?: string }> }>;
  security?: object[];
}
export interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { headers: object; schemas: Record<string, { additionalProperties?: boolean }>; securitySchemes: object };
}

const shapes = new Map<string, Shape>(
  [
    accounts,
    creation,
    pairs,
    explanations,
    rules,
    backtests,
    limits,
    balances,
    deposits,
    files,
    requests,
    people,
    asking,
    externalWallets,
    apiKeys,
    withdrawalRequests,
    orders,
    quotes,
    reference,
    sandbox,
    bank,
    clock,
    staff,
    transfers,
    certificates,
    nftTransfers,
    staffCertificates,
    wallets,
    walletBalances,
    webhooks,
    webhookDeliveries,
    replays,
    events,
    faults,
    signatures,
    withdrawals,
    { ErrorDto },
  ]
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, Shape] => typeof entry[1] === 'function' && /Dto$/.test(entry[0])),
);
export const shapeOf = ({ $ref }: { $ref: string }): Shape => {
  const shape = shapes.get($ref.replace('#/components/schemas/', ''));
  if (!shape) throw new Error(`no shape ${$ref}`);
  return shape;
};

export let document: Document;
/** The document for partners as served. */
export let partner: string;
export let production: Document;
export let texts: Record<string, string>;
/** The statuses of requests to the public port for paths of the management port. */
export const hidden: number[] = [];
/** Reads the documents of both environments before the tests of a file. */
export function useDocuments(): void {
  beforeAll(async () => {
    const [gateway, live] = [await startGateway(), await startGateway('production')];
    try {
      document = await wholeDocument(gateway);
      partner = (await gateway.app.inject({ url: '/openapi.json' })).body;
      production = await wholeDocument(live);
      expect((await live.app.inject({ method: 'POST', url: '/api/v1/sandbox/pricing' })).statusCode).toBe(404);
      const assets = [
        '/docs/reference',
        '/docs/reference/start.js',
        '/docs/reference/viewer.js',
        '/docs/reference/viewer.css',
      ];
      texts = Object.fromEntries(
        await Promise.all(assets.map(async (url) => [url, (await gateway.app.inject({ url })).body] as const)),
      );
      for (const url of ['/metrics', '/staff/openapi.json', '/staff/reference', '/staff/reference/start.js'])
        hidden.push(
          ...(await Promise.all([gateway, live].map(async ({ app }) => (await app.inject({ url })).statusCode))),
        );
    } finally {
      await Promise.all([gateway.stop(), live.stop()]);
    }
  });
}

export const operations = (of: Document = document): [string, Operation][] =>
  Object.entries(of.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );
