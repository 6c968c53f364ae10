import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ServiceName } from '@ponte/contracts';
import { PRICING_RULES_CATEGORY, SANDBOX_CLOCK_CATEGORY, SERVICE_CATEGORIES, SERVICES } from '@ponte/contracts';
import { withGeneratedPart } from './generated-part';

const DOES: Readonly<Record<ServiceName, string>> = {
  gateway:
    'the HTTP API: authentication, authorization, validation, rate limits, idempotency, OpenAPI; no business rules',
  onboarding: 'accounts, capabilities, API keys; account requests, uploaded files, screening and review; staff users',
  pricing: 'rates, spread, fee, IOF and their rules; issues quotes and records their acceptance',
  orders: 'the process of an order, from the accepted quote to completed or rolled back',
  movements: 'wallets, token deposits, transfers, certificates, mints; nonces, signed bytes, confirmations, finality',
  ledger: 'balances, holds, postings, deposits, withdrawals, Pix and TED, the review of screened addresses',
  webhooks: 'the outbox, the event log, signed deliveries, retries',
};

/** Categories that deciders name with a constant from the contracts. */
const CONSTANTS: Readonly<Record<string, string>> = { PRICING_RULES_CATEGORY, SANDBOX_CLOCK_CATEGORY };
const CATEGORY = /^ {2}category: (?:'(\w+)'|(\w+)),$/gm;

/** Every stream category that a decider of the service writes. */
export function decidedCategories(service: ServiceName): string[] {
  const folder = resolve(`apps/${service}/src`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.decider.ts'))
    .flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(CATEGORY)])
    .map(([, literal, constant = '']) => literal ?? CONSTANTS[constant] ?? constant)
    .sort();
}

const listed = (categories: readonly string[]): string => categories.map((one) => `\`${one}\``).join(', ') || '–';

const row = (service: ServiceName): string => {
  const published = SERVICE_CATEGORIES[service];
  const internal = decidedCategories(service).filter((one) => !published.includes(one));
  return `| ${service} | ${listed(published)} | ${listed(internal)} | ${DOES[service]} |`;
};

/** Returns `docs/architecture.md` with its table of stream owners updated from the code. */
export function withStreamOwners(document: string): string {
  const head = '| service | owns, and publishes on the bus | owns, for itself | does |\n|---|---|---|---|';
  return withGeneratedPart(document, [head, ...SERVICES.map(row)].join('\n'));
}
