import { SAMPLE } from '../api/samples';

/**
 * A browser script of the docs page that makes the document's examples work unchanged, any number of times. Ids in the
 * examples are placeholders: the script replaces them with resources that the caller's key reaches. It creates new
 * values for what one request uses up (a quote, a file, a person, an external id). `fillExamples(request, fetch)` takes
 * and returns a request of the viewer.
 */
export const PLACEHOLDER_SCRIPT = `
const SAMPLE = ${JSON.stringify(SAMPLE)};
const latest = {};

/** Stores ids that no list operation returns. */
function remember(body) {
  if (body && body['account-request']) latest.request = body['account-request'].id;
  if (body && body['webhook-endpoint']) latest.endpoint = body['webhook-endpoint'].id;
}

const random = (length) => Array.from({ length }, () => Math.floor(Math.random() * 10)).join('');

/** A valid CPF that is not one of the sandbox's magic values, which start with 9. */
function newCpf() {
  const digit = (text) => {
    const rest = [...text].reverse().reduce((sum, one, at) => sum + Number(one) * (at + 2), 0) % 11;
    return rest < 2 ? '0' : String(11 - rest);
  };
  const body = '1' + random(8);
  const first = body + digit(body);
  return first + digit(first);
}

const newAddress = () => '0x' + Array.from({ length: 40 }, () => Math.floor(Math.random() * 16).toString(16)).join('');

async function fillExamples(request, fetch) {
  const { origin } = new URL(request.url);
  const headers = Object.fromEntries(
    Object.entries(request.headers || {}).filter(([name]) => /^(authorization|x-api-key)$/i.test(name)),
  );
  const call = async (path, body) => {
    const json = { ...headers, 'content-type': 'application/json' };
    const post = { method: 'POST', headers: json, body: JSON.stringify(body) };
    const response = await fetch(origin + path, body === undefined ? { headers } : post);
    return response.ok ? response.json() : {};
  };
  const once = (make) => { let made; return () => (made = made || make()); };
  const account = once(async () => {
    const { accounts = [] } = await call('/api/v1/accounts');
    const active = accounts.filter(({ status }) => status === 'active');
    return (active.find((one) => one['parent-id']) || active[0] || {}).id;
  });
  const file = async () => {
    const upload = { 'content-base64': SAMPLE.qrCode, purpose: 'document-front' };
    return ((await call('/api/v1/accounts/files', upload)).file || {}).id;
  };
  const quote = async () => {
    const body = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
    return (await call('/api/v1/accounts/' + (await account()) + '/quotes', body)).id;
  };
  const first = (path) => async () => {
    const body = await call(path);
    const [list] = Object.values(body).filter(Array.isArray);
    return list && list[0] && list[0].id;
  };
  const inPath = (path) => {
    if (path.includes('/kyc/individual/') || path.includes('/account-requests/')) return async () => latest.request;
    if (path.includes('/webhook-endpoints/deliveries/'))
      return async () =>
        latest.endpoint && first(path.split('/deliveries/')[0] + '/' + latest.endpoint + '/deliveries')();
    if (path.includes('/webhook-endpoints/'))
      return async () => latest.endpoint || first(path.split('/webhook-endpoints/')[0] + '/webhook-endpoints')();
    return first(path.slice(0, path.indexOf('/' + SAMPLE.quoteId)));
  };
  const replaced = async (text, placeholder, make) => {
    if (!text || !text.includes(placeholder)) return text;
    const value = await make();
    return value ? text.split(placeholder).join(value) : text;
  };
  let url = await replaced(request.url, SAMPLE.accountId, account);
  const path = url.slice(origin.length).split('?')[0];
  if (path.includes('/' + SAMPLE.quoteId)) url = await replaced(url, SAMPLE.quoteId, inPath(path));
  let body = request.body;
  if (typeof body === 'string') {
    for (const placeholder of new Set(body.match(/ev_01JD3F8M2K7Q9X4T6V8Z0A63B\\d/g) || []))
      body = await replaced(body, placeholder, file);
    body = await replaced(body, SAMPLE.accountId, account);
    body = await replaced(body, SAMPLE.quoteId, quote);
    body = await replaced(body, SAMPLE.wallet, async () => newAddress());
    body = await replaced(body, '529.982.247-25', async () => newCpf());
    for (const text of ['customer-4711', 'invoice-4711', 'session-81f3', 'attestation-2026-0042'])
      body = await replaced(body, text, async () => text + '-' + random(8));
  }
  return Object.assign(request, { url }, body === undefined ? {} : { body });
}
`;
