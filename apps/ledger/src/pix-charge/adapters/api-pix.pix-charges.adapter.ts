import { Money, fromIso, pick } from '@ponte/kernel';
import { fieldsOf, textOrNull } from '../../payouts/bank-answers.adapter';
import type { BankAnswer, BankClient } from '../../payouts/bank-client.adapter';
import { isDone } from '../../payouts/bank-client.adapter';
import type { BankPage, BankWindow } from '../../payouts/bank-window';
import type { PixCharges, RailCharge, RailReturn, ReceivedPix, TakenBackPage } from '../pix-charges.port';
import { RailFailed, ReturnRefused, TAKE_BACK_DAYS } from '../pix-charges.port';
import type { UnrecordedReturn } from '../unrecorded-returns.service';
import type { TakenBack } from './api-pix-answers.adapter';
import { ApiPixAnswers } from './api-pix-answers.adapter';

interface ApiPixOptions {
  /** The Pix key of our account, to which charges are paid. */
  readonly key: string;
  /** The longest period, in days, for which the bank lists payments in one request. */
  readonly listDays: number;
  /** Business time in epoch milliseconds. */
  readonly now: () => number;
  /** Called with a payment whose return is not recorded, each time it is listed. `latest`: its time, in epoch ms. */
  readonly unrecorded: (why: UnrecordedReturn, endToEndId: string, latest: number) => void;
}

const DAY_MS = 86_400_000;
/** How much longer a window can become when its bounds are rounded outwards to whole seconds. */
const SECONDS_MS = 2_000;
/** A return that is older than this is no longer reported. */
const OLD_RETURN_MS = 7 * DAY_MS;
/** Payments per page. The bank may give fewer. A page must stay well below the largest response that is read. */
const PAGE = 200;
/** An active charge counts as ended this long after its expiry, in case the bank does not remove expired charges. */
const EXPIRED_MS = 600_000;
/** The statuses that are not failures: the bank refuses an id that it knows with 400 (409 or 422 at some banks). */
const ANSWERS: readonly number[] = [400, 404, 409, 422];

/**
 * The receiving side of Pix at a bank with Banco Central's API Pix, version 2 (https://github.com/bacen/pix-api). A
 * response that cannot be read counts as no response. See docs/ledger/banks.md for what the bank has to support.
 */
export class ApiPix implements PixCharges {
  readonly listPeriodMs: number;
  readonly takeBackLookBackMs = TAKE_BACK_DAYS * DAY_MS;

  constructor(
    private readonly client: Pick<BankClient, 'call'>,
    private readonly options: ApiPixOptions,
  ) {
    this.listPeriodMs = options.listDays * DAY_MS - SECONDS_MS;
  }

  async putCharge({ txid, amount, expiresAt }: Parameters<PixCharges['putCharge']>[0]): Promise<RailCharge> {
    const expiracao = Math.max(1, Math.floor((fromIso(expiresAt) - this.options.now()) / 1000));
    const answer = await this.call('putCharge', 'PUT', `/cob/${txid}`, {
      calendario: { expiracao },
      valor: { original: amount },
      chave: this.options.key,
    });
    const charge = isDone(answer) ? new ApiPixAnswers('putCharge').charge(answer, txid) : await this.getCharge(txid);
    if (!charge) throw failed('putCharge', answer);
    if (charge.amount !== amount)
      throw new RailFailed('putCharge', 'a charge with this txid exists with a different amount');
    return shown(charge);
  }

  async getCharge(txid: string): Promise<RailCharge | undefined> {
    const answer = await this.call('getCharge', 'GET', `/cob/${txid}`);
    if (answer.status === 404) return undefined;
    const charge = new ApiPixAnswers('getCharge').charge(accepted('getCharge', answer), txid);
    const ended = charge.status === 'active' && this.options.now() > charge.expiresAt + EXPIRED_MS;
    return shown(ended ? { ...charge, status: 'removed-by-bank' } : charge);
  }

  /** The bank refuses to remove a charge that is not active, so a refusal is followed by a read. */
  async removeCharge(txid: string): Promise<RailCharge | undefined> {
    const answer = await this.call('removeCharge', 'PATCH', `/cob/${txid}`, {
      status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    });
    if (isDone(answer)) return shown(new ApiPixAnswers('removeCharge').charge(answer, txid));
    return answer.status === 404 ? undefined : this.getCharge(txid);
  }

  async getReceived(endToEndId: string): Promise<ReceivedPix | undefined> {
    const answer = await this.call('getReceived', 'GET', `/pix/${endToEndId}`);
    if (answer.status === 404) return undefined;
    return new ApiPixAnswers('getReceived').received(accepted('getReceived', answer), endToEndId);
  }

  async listReceived({ from, to, page }: BankWindow): Promise<BankPage> {
    const answers = new ApiPixAnswers('listReceived');
    const query = { inicio: seconds(fromIso(from)), fim: seconds(fromIso(to), 1) };
    const { payments, lastPage } = answers.page(await this.list('listReceived', query, page));
    return { ids: payments.map((payment) => answers.endToEndId(payment)), lastPage };
  }

  /** An entry that cannot be read must not keep the others from being read. */
  async listTakenBack({ from, to, page }: BankWindow): Promise<TakenBackPage> {
    const answers = new ApiPixAnswers('listTakenBack');
    const query = { inicio: seconds(fromIso(from)), fim: seconds(fromIso(to), 1), devolucaoPresente: 'true' };
    const { payments, lastPage } = answers.page(await this.list('listTakenBack', query, page));
    const oldest = this.options.now() - OLD_RETURN_MS;
    const { unrecorded } = this.options;
    const [ids, unreadable]: [string[], string[]] = [[], []];
    for (const payment of payments) {
      const taken = answers.takenBack(payment);
      if (taken === 'unreadable') unreadable.push(idOf(payment));
      else if (taken && isWhole(taken)) ids.push(taken.endToEndId);
      else if (taken && taken.at >= oldest) unrecorded('part', taken.endToEndId, taken.at);
      const unrequestedAt = answers.unrequestedReturnAt(payment);
      if (unrequestedAt >= oldest) unrecorded('unrequested', idOf(payment), unrequestedAt);
    }
    return { ids, unreadable, listed: payments.map(idOf), lastPage: lastPage || payments.length === 0 };
  }

  async requestReturn(endToEndId: string, returnId: string, amount: string): Promise<RailReturn> {
    const answer = await this.call('requestReturn', 'PUT', `/pix/${endToEndId}/devolucao/${returnId}`, {
      valor: amount,
    });
    const known = isDone(answer)
      ? new ApiPixAnswers('requestReturn').return(answer, endToEndId, returnId, amount)
      : await this.getReturn(endToEndId, returnId);
    if (known) return known;
    const isRefused = isInvalidReturn(answer) && (await this.getReceived(endToEndId)) !== undefined;
    throw isRefused ? new ReturnRefused('requestReturn', `HTTP ${answer.status}`) : failed('requestReturn', answer);
  }

  async getReturn(endToEndId: string, returnId: string): Promise<RailReturn | undefined> {
    const answer = await this.call('getReturn', 'GET', `/pix/${endToEndId}/devolucao/${returnId}`);
    if (answer.status === 404) return undefined;
    return new ApiPixAnswers('getReturn').return(accepted('getReturn', answer), endToEndId, returnId);
  }

  private async list(operation: string, query: Readonly<Record<string, string>>, page: number): Promise<BankAnswer> {
    const pages = { 'paginacao.paginaAtual': String(page), 'paginacao.itensPorPagina': String(PAGE) };
    const search = new URLSearchParams({ ...query, ...pages }).toString();
    return accepted(operation, await this.call(operation, 'GET', `/pix?${search}`));
  }

  private call(operation: string, method: 'GET' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<BankAnswer> {
    return this.client.call(operation, method, path, body, ANSWERS);
  }
}

const brl = (text: string): Money => Money.parse('fiat/brl', text);

/** Empty if the bank gives no id. */
const idOf = ({ endToEndId }: Readonly<Record<string, unknown>>): string => textOrNull(endToEndId) ?? '';

const isWhole = ({ amounts, paid }: TakenBack): boolean =>
  amounts.reduce((sum, amount) => sum.plus(brl(amount)), Money.zero('fiat/brl')).compare(brl(paid)) >= 0;

/** Banks list by the second: the time in UTC without a fraction, rounded down, and `later` seconds later. */
const seconds = (ms: number, later = 0): string =>
  `${new Date((Math.floor(ms / 1000) + later) * 1000).toISOString().slice(0, 19)}Z`;

const shown = (charge: RailCharge): RailCharge => pick(charge, 'txid', 'status', 'amount', 'location', 'endToEndIds');

/** Whether the bank names the return itself as the reason: other errors may be of our request or our access. */
const isInvalidReturn = ({ body }: BankAnswer): boolean =>
  textOrNull(fieldsOf(body)['type'])?.endsWith('/PixDevolucaoInvalida') ?? false;

const failed = (operation: string, { status }: BankAnswer): RailFailed => new RailFailed(operation, `HTTP ${status}`);

function accepted(operation: string, answer: BankAnswer): BankAnswer {
  if (!isDone(answer)) throw failed(operation, answer);
  return answer;
}
