// #region code
import { readFile } from 'node:fs/promises';
import { Ponte } from '@ponte/sdk';

const { PONTE_BASE_URL: baseUrl = '', PONTE_API_KEY: apiKey = '', PONTE_CPF: cpf = '' } = process.env;
const ponte = new Ponte({ baseUrl, apiKey });

const photo = await readFile(process.env.PONTE_DOCUMENT_PHOTO ?? '', 'base64');
const upload = async (purpose: 'document-front' | 'document-back') =>
  (await ponte.uploadFile({ 'file-name': 'rg.png', 'content-type': 'image/png', 'content-base64': photo, purpose }))
    .file.id;

const { 'account-request': request } = await ponte.createAccountRequest({
  identifier: { value: cpf, country: 'BRA' },
  'tax-residence': 'BRA',
  'reward-tier': 90,
  'first-name': 'Joana',
  'last-name': 'Lima',
  email: 'joana@example.com',
  phone: '+55 11 91234-5678',
  'date-of-birth': '1990-05-17',
  'mother-full-name': 'Maria Lima',
  address: {
    'postal-code': '01310-100',
    line1: 'Avenida Paulista 1000',
    city: 'São Paulo',
    state: 'SP',
    country: 'BRA',
  },
  document: {
    type: 'rg',
    'front-file-id': await upload('document-front'),
    'back-file-id': await upload('document-back'),
  },
  liveness: { id: `session-${cpf}`, provider: 'provider-1' },
  pep: { declared: false },
  'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8500, 'source-of-funds': ['salary'] },
});

let status: string = request.status;
for (let second = 0; second < 60 && ['pending', 'approved'].includes(status); second += 1) {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  ({ status } = (await ponte.getAccountRequest(request.id))['account-request']);
}
if (status !== 'active') throw new Error(`The sub-account is not active. The status of the request is ${status}.`);
console.log(`The sub-account ${request['account-id']} is active.`);
// #endregion code
