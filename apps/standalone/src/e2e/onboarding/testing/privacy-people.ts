import { cpfOf } from '../../../../../onboarding/src/testing/people';
import type { Json } from '../../testing/client';

// Values that occur nowhere else. If one shows up in clear text, it is a leak of one of these people's data.
export const HOLDER = {
  cpf: cpfOf(733_194_285),
  firstName: 'Quixotilda',
  lastName: 'Brzezinska',
  email: 'quixotilda@zwitscher.example',
  phone: '+55 31 98887-1717',
  mother: 'Ermengundis Wolfensbrandt',
  birth: '1971-03-29',
  line1: 'Travessa Xilindrau 4711',
  line2: 'bloco Zzyzx',
  city: 'Pindorama do Xingu',
  postalCode: '69945-123',
  session: 'session-of-quixotilda',
  role: 'vereadora de Xanxerilda',
  custodian: 'Zustodia Kanarienvogel SA',
};
export const REPRESENTATIVE = {
  cpf: cpfOf(288_471_965),
  firstName: 'Wolfgangus',
  lastName: 'Xerxesbrandt',
  birth: '1966-11-23',
  line1: 'Alameda Yggdrasil 90210',
  city: 'Ituverava do Zabumba',
  postalCode: '87654-321',
};
export const RELIED_ON = { passport: 'ZX9917364Q', attestation: 'attestation-of-zenobiusz' };
/** A person who is mentioned only in requests that are refused. */
export const REJECTED_PERSON = {
  cpf: cpfOf(961_358_741),
  firstName: 'Cunegundes',
  lastName: 'Ypsilantis',
  email: 'cunegundes@kanarek.example',
  phone: '+55 92 97775-3131',
  mother: 'Brunhilda Quasimoda',
  birth: '1959-09-19',
  line1: 'Beco Ornitorrinco 31337',
};
export const NOTES = {
  partner: 'prefere ser chamada Zezinha',
  staff: 'a tia Hildegarda telefonou',
  view: 'o neto Sigismundo perguntou',
};
export const FILE_NAME = 'passaporte-da-quixotilda-brzezinska.png';
export const CANARIES = [
  ...new Set(
    [HOLDER, REPRESENTATIVE, RELIED_ON, REJECTED_PERSON, NOTES]
      .flatMap((one) => Object.values(one))
      .concat(FILE_NAME, 'Zarathustrina'),
  ),
];

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const address = (
  one: { readonly line1: string; readonly postalCode: string; readonly city: string },
  line2 = '',
): Json => ({ 'postal-code': one.postalCode, line1: one.line1, line2, city: one.city, state: 'SP', country: 'BRA' });

/** A request with every field, and files that `upload` returns the ids of. */
export async function completeRequest(upload: (purpose: string) => Promise<string>): Promise<Json> {
  return {
    identifier: { value: HOLDER.cpf, country: 'BRA' },
    'tax-residence': 'BRA',
    'reward-tier': 97,
    'first-name': HOLDER.firstName,
    'last-name': HOLDER.lastName,
    email: HOLDER.email,
    phone: HOLDER.phone,
    'date-of-birth': HOLDER.birth,
    'mother-full-name': HOLDER.mother,
    address: address(HOLDER, HOLDER.line2),
    document: { type: 'cnh', 'front-file-id': await upload('document-front') },
    liveness: { id: HOLDER.session, provider: 'provider-1' },
    pep: { declared: true, 'full-name': 'Zarathustrina Brzezinska', role: HOLDER.role, relationship: 'self' },
    'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8517.25, 'source-of-funds': ['salary'] },
    representative: {
      'first-name': REPRESENTATIVE.firstName,
      'last-name': REPRESENTATIVE.lastName,
      'date-of-birth': REPRESENTATIVE.birth,
      identifier: { value: REPRESENTATIVE.cpf, country: 'BRA' },
      'tax-residence': 'BRA',
      address: address(REPRESENTATIVE),
      document: { type: 'cnh', 'front-file-id': await upload('document-front') },
      pep: { declared: false },
      'power-of-attorney-file-id': await upload('power-of-attorney'),
    },
    'external-wallets': [
      {
        address: '0x00000000000000000000000000000000000000c1',
        'custody-type': 'exchange',
        'custody-country': 'BRA',
        'custodian-name': HOLDER.custodian,
      },
    ],
  };
}
