import {
  AdvanceClock,
  CheckAcceptance,
  ExplainQuote,
  GetAnyDeposit,
  GetBalance,
  GetBank,
  GetDeposit,
  GetFundingCode,
  GetLimits,
  GetOrder,
  GetPairs,
  ListAllDeposits,
  ListDeposits,
  ListOrders,
  ORDERABLE_PAIRS,
  PlaceOrder,
  PriceQuote,
  RecordUsdDepositView,
  RequestQuote,
  SetBankBehaviour,
  SetSandboxPricing,
  SimulateDeposit,
  SimulatePixPayment,
  SimulateTokenDeposit,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';
import { answerRules } from '../rules-fixtures';
import { depositRecord, tokenDepositRecord, USD_DEPOSIT_ID, usdDepositRecord } from '../records/money-records';
import { explainedQuote, orderRecord, quoteRecord } from '../records/records';
import type { StubBus } from '../stub-bus';
import { PARTNER } from '../accounts';
import { BANK } from './operator-answers';

export function answerMoney(bus: StubBus, personalData: PersonalData): void {
  bus.on(RequestQuote, (payload) => quoteRecord(payload));
  answerRules(bus);
  bus.on(ExplainQuote, ({ quoteId, accountId }) =>
    quoteId === SAMPLE.quoteId ? explainedQuote(accountId ?? PARTNER) : null,
  );
  bus.on(PriceQuote, (payload) => quoteRecord(payload));
  bus.on(CheckAcceptance, (payload) => orderRecord(payload));
  bus.on(PlaceOrder, (payload) => orderRecord(payload));
  bus.on(GetOrder, ({ accountId, orderId }) => (orderId === SAMPLE.orderId ? orderRecord({ accountId }) : null));
  bus.on(ListOrders, ({ accountId, page }) => ({
    items: Array.from({ length: Math.min(page.limit, 2) }, () => orderRecord({ accountId })),
    next: page.cursor ? null : { createdAt: SAMPLE.time, id: SAMPLE.orderId },
  }));
  bus.on(GetBalance, () => ({ running: '1250.00', available: '1150.00', held: '100.00', asOf: SAMPLE.time }));
  bus.on(GetLimits, () => ({
    limits: [
      {
        sourceAsset: 'fiat/brl' as const,
        targetAsset: 'eth-base/brlv' as const,
        side: 'source' as const,
        asset: 'fiat/brl' as const,
        minimum: '1.00',
        maximum: '10000000.00',
      },
    ],
  }));
  bus.on(GetPairs, () => ({
    pairs: ORDERABLE_PAIRS.map((pair) => ({ ...pair, validitySeconds: 900, rateLocks: [] })),
  }));
  bus.on(GetFundingCode, () => ({ brcode: SAMPLE.brcode }));
  bus.on(GetDeposit, async ({ accountId, depositId }) =>
    depositId === SAMPLE.depositId ? depositRecord(personalData, { accountId }) : null,
  );
  bus.on(ListDeposits, async ({ accountId }) => ({
    items: [
      await depositRecord(personalData, { accountId }),
      await depositRecord(personalData, { accountId, status: 'voided', voidReason: 'payer-tax-id-mismatch' }),
    ],
    next: null,
  }));
  bus.on(SimulatePixPayment, ({ amount }) => ({
    endToEndId: SAMPLE.endToEndId,
    amount: amount ?? '100.00',
    settledAt: SAMPLE.time,
  }));
  bus.on(SimulateTokenDeposit, ({ asset, amount }) => ({
    asset,
    amount,
    txHash: SAMPLE.txHash,
    sourceAddress: SAMPLE.otherWallet,
    targetAddress: SAMPLE.wallet,
  }));
  bus.on(ListAllDeposits, async () => ({
    items: [await depositRecord(personalData), await tokenDepositRecord(personalData)],
    next: null,
  }));
  bus.on(GetAnyDeposit, async ({ depositId }) => {
    if (depositId === USD_DEPOSIT_ID) return usdDepositRecord(personalData, { id: depositId });
    return depositId === SAMPLE.depositId ? tokenDepositRecord(personalData) : null;
  });
  bus.on(RecordUsdDepositView, () => ({}));
  bus.on(SimulateDeposit, ({ type, amount }) => ({
    type,
    asset: 'fiat/brl' as const,
    amount,
    endToEndId: 'STR0123456789ABCDEF0123',
  }));
  bus.on(SetSandboxPricing, (payload) => payload);
  bus.on(AdvanceClock, () => ({ now: SAMPLE.time, aheadMs: 60_000 }));
  bus.on(GetBank, () => BANK);
  bus.on(SetBankBehaviour, () => BANK);
}
