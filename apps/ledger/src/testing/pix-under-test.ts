import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { buildBrCode } from '../br-code/br-code.domain';
import { ApiPix } from '../pix-charge/adapters/api-pix.pix-charges.adapter';
import { SimulatedBank } from '../pix-charge/adapters/simulated.pix-charges.adapter';
import type { PixCharges } from '../pix-charge/pix-charges.port';
import type { UnrecordedReturn } from '../pix-charge/unrecorded-returns.service';
import { ApiPixBank } from './api-pix-bank';
import type { BankUnderTest } from './bank-under-test';
import { HOLDER_CPF } from './people';
import type { PixChargesUnderTest } from './pix-charges.contract';

export const PIX_KEY = '123e4567-e89b-12d3-a456-426655440000';
const START = Date.parse('2026-11-20T12:34:56.000Z');
/** Seals by base64, which is enough here. */
const personalData: PersonalData = {
  seal: async (subject, text) => `sealed:v1:${subject}:${Buffer.from(text).toString('base64')}`,
  open: async (sealed: Sealed) => Buffer.from(sealed.slice(sealed.lastIndexOf(':') + 1), 'base64').toString(),
  erase: async () => undefined,
  fingerprint: (kind, value) => Buffer.from(`${kind}${value}`).toString('hex'),
};

/** The simulated bank, with the payers and the bank's decisions that the tests need. */
export class SimulatedPix implements PixChargesUnderTest {
  now = START;
  paid = 0;
  readonly bank = new SimulatedBank({
    file: ':memory:',
    clock: { now: () => this.now },
    personalData,
    key: PIX_KEY,
    host: 'pix.example',
  });

  get charges(): PixCharges {
    return this.bank;
  }

  pay(location: string, amount: string, payerTaxId?: string): Promise<string> {
    const brcode = buildBrCode({ kind: 'dynamic', location, name: 'PONTE', city: 'SAO PAULO' });
    return this.payCode(brcode, amount, payerTaxId);
  }

  /** Pays a static or dynamic code and returns the end-to-end id. */
  async payCode(brcode: string, amount: string, payerTaxId = HOLDER_CPF): Promise<string> {
    const payer = this.bank.invent(payerTaxId, null);
    return (await this.bank.pay({ reference: `pay-${(this.paid += 1)}`, brcode, amount, payer })).endToEndId;
  }

  async takeBack(endToEndId: string): Promise<void> {
    this.bank.behave({ callbacks: null, returns: null, settlement: null, faults: [], takeBack: endToEndId });
  }

  returnsSlowly(): void {
    this.bank.misbehaviour.returns = 'processing';
  }
}

/** The same bank behind API Pix, and the adapter for it. */
export class PixOverHttps implements PixChargesUnderTest {
  readonly simulated = new SimulatedPix();
  readonly api = new ApiPixBank(this.simulated.bank, () => this.now, PIX_KEY);
  /** The payments that were reported, by the reason. */
  readonly unrecorded: Record<UnrecordedReturn, string[]> = { part: [], unrequested: [] };
  readonly charges: ApiPix;

  constructor(https: BankUnderTest) {
    https.answer = this.api.answer;
    this.charges = new ApiPix(https.client, {
      key: PIX_KEY,
      listDays: 30,
      now: () => this.now,
      unrecorded: (why, endToEndId) => void this.unrecorded[why].push(endToEndId),
    });
  }

  get now(): number {
    return this.simulated.now;
  }
  set now(ms: number) {
    this.simulated.now = ms;
  }

  pay(...payment: Parameters<SimulatedPix['pay']>): Promise<string> {
    return this.simulated.pay(...payment);
  }

  async takeBack(endToEndId: string): Promise<void> {
    const amount = (await this.simulated.bank.getReceived(endToEndId))?.amount ?? '';
    this.api.otherReturns.set(endToEndId, [{ amount, at: new Date(this.now).toISOString() }]);
  }

  returnsSlowly(): void {
    this.simulated.returnsSlowly();
  }
}
