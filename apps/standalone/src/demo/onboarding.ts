import type { Answer, Body } from '@ponte/sdk';
import type { DemoContext } from './demo-context';
import type { StaffClient } from './staff-client';
import { signIn } from './staff-client';
import { AccountSteps } from './account-steps';
import { until } from './waiting';

type AccountRequest = Answer<'get-account-request'>['account-request'];
interface Case {
  readonly case: {
    readonly item: { readonly version: number };
    readonly checklist: readonly { readonly outcome: string }[];
    readonly screening: readonly { readonly hits: readonly unknown[] }[];
    readonly liveness: { readonly outcome: string } | null;
  };
}

/** A single pixel, enough for a document that is not read. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** A fictitious person, with a CPF for which the sandbox has no predefined outcome. */
const PERSON: Omit<Body<'create-account-request'>, 'document'> = {
  identifier: { value: '123.456.789-09', country: 'BRA' },
  'tax-residence': 'BRA',
  'reward-tier': 90,
  'first-name': 'Marina',
  'last-name': 'Exemplo Duarte',
  email: 'marina@example.com',
  phone: '+55 11 91234-5678',
  'date-of-birth': '1991-08-20',
  'mother-full-name': 'Helena Exemplo Duarte',
  address: {
    'postal-code': '01310-100',
    line1: 'Avenida Paulista 1000',
    city: 'São Paulo',
    state: 'SP',
    country: 'BRA',
  },
  liveness: { id: 'demo-session', provider: 'provider-1' },
  pep: { declared: false },
  'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 9200, 'source-of-funds': ['salary'] },
};
const DEPOSIT = '500.00';
const CONVERTED = '120.00';

/** A partner requests an account for a person, compliance staff approve it, and the new sub-account trades. */
export async function onboardAndTrade(context: DemoContext): Promise<void> {
  context.print('5. Onboard a new customer');
  const posted = await post(context);
  await reviewed(context, await waitingForReview(context, posted));
  const request = await until(
    'the account',
    () => read(context, posted),
    (one) => one.status === 'active',
  );
  context.print(
    `   the account is ${request.status}: ${request['account-id']}, with a wallet on each chain and its own ` +
      'Pix code',
  );
  const account = new AccountSteps(context, request['account-id']);
  await account.depositByPix(DEPOSIT);
  await account.orderFromBalance(CONVERTED);
}

async function post({ client, print }: DemoContext): Promise<AccountRequest> {
  const { file } = await client.uploadFile({ 'content-base64': PNG, purpose: 'document-front' });
  print(`   the partner uploads a document: ${file.id}`);
  const { 'account-request': request } = await client.createAccountRequest({
    ...PERSON,
    document: { type: 'cnh', 'front-file-id': file.id },
  });
  print(`   account request ${request.id} of ${request.identifier.value} is ${request.status}`);
  return request;
}

const read = async ({ client }: DemoContext, { id }: AccountRequest): Promise<AccountRequest> =>
  (await client.getAccountRequest(id))['account-request'];

async function waitingForReview(context: DemoContext, posted: AccountRequest): Promise<AccountRequest> {
  const request = await until(
    'the checks',
    () => read(context, posted),
    (one) => one['review-stage'] === 'manual-review' || one.status !== 'pending',
  );
  context.print(
    `   screening and the liveness check have finished; the request is in ${request['review-stage'] ?? request.status}`,
  );
  return request;
}

/** Reviews the request over the staff API, as the console does. */
async function reviewed(context: DemoContext, { id }: AccountRequest): Promise<void> {
  const analyst = context.staff.find(({ role }) => role === 'compliance-analyst');
  if (!analyst) throw new Error('the sandbox has no analyst');
  const staff = await signIn(context.baseUrl, analyst);
  try {
    await decide(context, staff, id);
  } finally {
    await staff.signOut();
  }
}

async function decide({ print }: DemoContext, staff: StaffClient, id: string): Promise<void> {
  const route = `/staff/v1/account-requests/${id}`;
  await staff.post(`${route}/claim`, {});
  print(`   the compliance analyst signs in (as ${staff.name}) and claims the case`);
  const { case: opened } = await staff.post<Case>(`${route}/case`, { purpose: 'review' });
  const hits = opened.screening.reduce((sum, one) => sum + one.hits.length, 0);
  const passed = opened.checklist.filter(({ outcome }) => outcome === 'passed').length;
  print(
    `   opens it, which is recorded: checks passed: ${passed}, list hits: ${hits}, liveness: ${opened.liveness?.outcome ?? 'not required'}`,
  );
  await staff.post(`${route}/approve`, { version: opened.item.version });
  print('   approves it');
}
