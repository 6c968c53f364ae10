import { isoTime, parseInstant } from '@ponte/kernel';
import { MAX_RETURNS, attemptsOf, depositIdOf } from '../../deposit/deposit.state';
import type { BankAnswer } from '../../payouts/bank-client.adapter';
import { AMOUNT, fieldsOf, textOrNull } from '../../payouts/bank-answers.adapter';
import type { RailCharge, RailChargeStatus, RailReturn, RailReturnStatus, ReceivedPix } from '../pix-charges.port';
import { RailTimedOut } from '../pix-charges.port';

const CHARGE_STATUSES: Readonly<Record<string, RailChargeStatus>> = {
  ATIVA: 'active',
  CONCLUIDA: 'paid',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'removed-by-receiver',
  REMOVIDA_PELO_PSP: 'removed-by-bank',
};

const RETURN_STATUSES: Readonly<Record<string, RailReturnStatus>> = {
  EM_PROCESSAMENTO: 'processing',
  DEVOLVIDO: 'returned',
  NAO_REALIZADO: 'not-carried-out',
};

/** The origin of returns that banks make on their own: `MED_OPERACIONAL`, `MED_FRAUDE`, `MED_PIX_AUTOMATICO`. */
const TAKE_BACK = /^MED_/;

/** A return of a payment, as listed with it. */
type Devolucao = Readonly<Record<string, unknown>>;
const isTakeBack = ({ natureza }: Devolucao): boolean => TAKE_BACK.test(textOrNull(natureza) ?? '');
const isExecuted = ({ status }: Devolucao): boolean => status === 'DEVOLVIDO';
function timeOfReturn({ horario }: Devolucao): unknown {
  const { liquidacao, solicitacao } = fieldsOf(horario);
  return liquidacao ?? solicitacao;
}

/** A payment that the bank took back, in whole or in part. */
export interface TakenBack {
  readonly endToEndId: string;
  /** What the bank took back, and what was paid, in BRL. */
  readonly amounts: readonly string[];
  readonly paid: string;
  /** When the latest part was taken back, in epoch milliseconds. */
  readonly at: number;
}

/** One page of a list of payments. */
interface PixPage {
  readonly payments: readonly Readonly<Record<string, unknown>>[];
  readonly lastPage: boolean;
}

/** Reads a response, and throws `RailTimedOut` if it does not have the documented form. */
export class ApiPixAnswers {
  constructor(private readonly operation: string) {}

  /** The charge with this txid. `expiresAt`: when it can no longer be paid, in epoch milliseconds. */
  charge({ body }: BankAnswer, txid: string): RailCharge & { readonly expiresAt: number } {
    const { txid: id, status, valor, location, loc, calendario, pix } = fieldsOf(body);
    const place = textOrNull(location) ?? textOrNull(fieldsOf(loc)['location']);
    const { criacao, expiracao } = fieldsOf(calendario);
    const known = CHARGE_STATUSES[textOrNull(status) ?? ''];
    if (id !== txid || known === undefined || place === null || typeof expiracao !== 'number') return this.unreadable();
    return {
      txid,
      status: known,
      amount: this.amount(fieldsOf(valor)['original']),
      location: place.replace(/^https:\/\//, ''),
      endToEndIds: this.list(pix ?? []).map(({ endToEndId }) => textOrNull(endToEndId) ?? this.unreadable()),
      expiresAt: this.time(criacao) + expiracao * 1000,
    };
  }

  /** The payment with this id. `pagador` is optional in API Pix: a payer without a tax id matches no account. */
  received({ body }: BankAnswer, endToEndId: string): ReceivedPix {
    const { endToEndId: id, txid, valor, horario, pagador } = fieldsOf(body);
    if (id !== endToEndId) return this.unreadable();
    const { cpf, cnpj, nome } = fieldsOf(pagador);
    return {
      endToEndId,
      txid: textOrNull(txid),
      amount: this.amount(valor),
      settledAt: isoTime(this.time(horario)),
      payer: {
        taxId: textOrNull(cpf) ?? textOrNull(cnpj),
        legalName: textOrNull(nome) ?? '',
        // The payer's bank assigns the id, and its ISPB follows the first letter.
        bankCode: endToEndId.slice(1, 9),
        branchCode: '',
        accountNumber: '',
        accountType: '',
      },
    };
  }

  page({ body }: BankAnswer): PixPage {
    const { parametros, pix } = fieldsOf(body);
    const { paginaAtual, quantidadeDePaginas } = fieldsOf(fieldsOf(parametros)['paginacao']);
    if (typeof paginaAtual !== 'number' || typeof quantidadeDePaginas !== 'number') return this.unreadable();
    return { payments: this.list(pix), lastPage: paginaAtual + 1 >= quantidadeDePaginas };
  }

  endToEndId(payment: Readonly<Record<string, unknown>>): string {
    return textOrNull(payment['endToEndId']) ?? this.unreadable();
  }

  /** Undefined if the bank has taken nothing of the payment back. */
  takenBack(payment: Readonly<Record<string, unknown>>): TakenBack | 'unreadable' | undefined {
    try {
      return this.readTakenBack(payment);
    } catch (error) {
      if (error instanceof RailTimedOut) return 'unreadable';
      throw error;
    }
  }

  private readTakenBack(payment: Readonly<Record<string, unknown>>): TakenBack | undefined {
    const taken = this.list(payment['devolucoes'] ?? []).filter((one) => isExecuted(one) && isTakeBack(one));
    if (taken.length === 0) return undefined;
    return {
      endToEndId: this.endToEndId(payment),
      amounts: taken.map(({ valor }) => this.amount(valor)),
      paid: this.amount(payment['valor']),
      at: Math.max(...taken.map((one) => this.time(timeOfReturn(one)))),
    };
  }

  /**
   * When the latest return was executed that neither Ponte requested nor the bank made on its own, in epoch
   * milliseconds; Infinity if that cannot be read, and -Infinity without such a return.
   */
  unrequestedReturnAt({ endToEndId, devolucoes }: Readonly<Record<string, unknown>>): number {
    const ours = attemptsOf(depositIdOf(textOrNull(endToEndId) ?? ''), { attempt: MAX_RETURNS });
    const others = (Array.isArray(devolucoes) ? devolucoes.map(fieldsOf) : []).filter(
      (one) => isExecuted(one) && !isTakeBack(one) && !ours.includes(textOrNull(one['id']) ?? ''),
    );
    return Math.max(...others.map((one) => parseInstant(textOrNull(timeOfReturn(one)) ?? '') ?? Infinity));
  }

  /**
   * The return with this id; `requested`: the amount that we ask the bank to return now. A bank need not name the
   * payment, but may not name another one.
   */
  return({ body }: BankAnswer, endToEndId: string, returnId: string, requested?: string): RailReturn {
    const { id, endToEndId: payment = endToEndId, status, rtrId, valor } = fieldsOf(body);
    const known = RETURN_STATUSES[textOrNull(status) ?? ''];
    const amount = this.amount(valor);
    const isOurs = id === returnId && payment === endToEndId && (requested === undefined || requested === amount);
    if (!isOurs || known === undefined) return this.unreadable();
    return { returnId, status: known, amount, bankReturnId: known === 'returned' ? textOrNull(rtrId) : null };
  }

  private amount(value: unknown): string {
    return typeof value === 'string' && AMOUNT.test(value) ? value : this.unreadable();
  }

  private time(value: unknown): number {
    return parseInstant(textOrNull(value) ?? '') ?? this.unreadable();
  }

  private list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
    return Array.isArray(value) ? value.map(fieldsOf) : this.unreadable();
  }

  private unreadable(): never {
    throw new RailTimedOut(this.operation);
  }
}
