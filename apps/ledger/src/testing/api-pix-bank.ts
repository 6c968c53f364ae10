import type { IncomingMessage, ServerResponse } from 'node:http';
import { isoTime } from '@ponte/kernel';
import type { SimulatedBank } from '../pix-charge/adapters/simulated.pix-charges.adapter';
import type { RailCharge, RailReturn } from '../pix-charge/pix-charges.port';
import { RailTimedOut } from '../pix-charge/pix-charges.port';
import type { Answer } from './api-pix-callbacks';
import { problem, RegisteredCallbacks } from './api-pix-callbacks';
import { reply } from './bank-under-test';

const STATUSES = {
  active: 'ATIVA',
  paid: 'CONCLUIDA',
  'removed-by-receiver': 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
  'removed-by-bank': 'REMOVIDA_PELO_PSP',
} as const;
const RETURN_STATUSES = {
  processing: 'EM_PROCESSAMENTO',
  returned: 'DEVOLVIDO',
  'not-carried-out': 'NAO_REALIZADO',
} as const;

/** A return that we did not request; without a `natureza`, the bank took a part of the payment back. */
interface OtherReturn {
  readonly amount: string;
  readonly at: string;
  /** Null: the bank leaves it out. */
  readonly natureza?: string | null;
}

/**
 * Banco Central's API Pix over the simulated bank. Like real banks, it refuses a txid and a return id that it knows,
 * and removes active charges only.
 */
export class ApiPixBank {
  /** The most entries of a page, whatever the caller asks for. */
  pageSize = 1_000;
  /** The longest period of a list, in days. */
  listDays = 30;
  readonly otherReturns = new Map<string, OtherReturn[]>();
  /** The returns that we requested, by payment, as last shown. */
  private readonly requested = new Map<string, Map<string, object>>();
  /** Leaves out the payer, which is optional in API Pix. */
  hidesPayers = false;
  readonly callbacks = new RegisteredCallbacks();
  private readonly terms = new Map<string, { readonly criacao: string; readonly expiracao: number }>();

  constructor(
    private readonly bank: SimulatedBank,
    private readonly now: () => number,
    private readonly key: string,
  ) {}

  /** To be used as the `answer` of a bank under test. */
  readonly answer = (request: IncomingMessage, response: ServerResponse, body: unknown): boolean => {
    this.handle(request.method ?? '', new URL(request.url ?? '', 'https://bank.example'), body).then(
      ({ status, body: answer }) => reply(response, status, answer),
      (error: unknown) =>
        error instanceof RailTimedOut
          ? response.destroy()
          : reply(response, 400, problem(400, 'OperacaoInvalida').body),
    );
    return true;
  };

  private async handle(method: string, url: URL, body: unknown): Promise<Answer> {
    const [, resource, id = '', , returnId = ''] = url.pathname.split('/');
    switch (`${method} ${resource}${returnId === '' ? '' : ' return'}`) {
      case 'PUT cob':
        return this.putCharge(
          id,
          body as { calendario: { expiracao: number }; valor: { original: string }; chave: string },
        );
      case 'GET cob':
        return this.chargeOr404(await this.bank.getCharge(id));
      case 'PATCH cob':
        return this.removeCharge(id);
      case 'GET pix':
        return id === '' ? this.list(url.searchParams) : this.payment(id);
      case 'PUT pix return':
        if (await this.bank.getReturn(id, returnId)) return problem(400, 'PixDevolucaoInvalida');
        return this.returned(201, id, await this.bank.requestReturn(id, returnId, (body as { valor: string }).valor));
      case 'GET pix return': {
        const found = await this.bank.getReturn(id, returnId);
        return found ? this.returned(200, id, found) : problem(404, 'PixDevolucaoNaoEncontrada');
      }
      case 'GET webhook':
      case 'PUT webhook':
        return this.callbacks.answer(decodeURIComponent(id), body);
      default:
        return problem(404, 'NaoEncontrado');
    }
  }

  private async putCharge(
    txid: string,
    { calendario, valor, chave }: { calendario: { expiracao: number }; valor: { original: string }; chave: string },
  ): Promise<Answer> {
    if (!/^[a-zA-Z0-9]{26,35}$/.test(txid) || chave !== this.key || calendario.expiracao < 1)
      return problem(400, 'CobOperacaoInvalida');
    if (this.terms.has(txid)) return problem(400, 'CobOperacaoInvalida');
    const [criacao, expiresAt] = [isoTime(this.now()), isoTime(this.now() + calendario.expiracao * 1000)];
    this.terms.set(txid, { criacao, expiracao: calendario.expiracao });
    return this.chargeOr404(await this.bank.putCharge({ txid, amount: valor.original, expiresAt }), 201);
  }

  private async removeCharge(txid: string): Promise<Answer> {
    const known = await this.bank.getCharge(txid);
    if (known && known.status !== 'active') return problem(400, 'CobOperacaoInvalida');
    return this.chargeOr404(await this.bank.removeCharge(txid));
  }

  private chargeOr404(charge: RailCharge | undefined, status = 200): Answer {
    if (!charge) return problem(404, 'CobNaoEncontrado');
    const { txid, amount, location, endToEndIds } = charge;
    return {
      status,
      body: {
        txid,
        calendario: this.terms.get(txid),
        status: STATUSES[charge.status],
        valor: { original: amount },
        chave: this.key,
        loc: { id: 1, location, tipoCob: 'cob' },
        ...(endToEndIds.length === 0 ? {} : { pix: endToEndIds.map((endToEndId) => ({ endToEndId, txid })) }),
      },
    };
  }

  private async payment(endToEndId: string): Promise<Answer> {
    const body = await this.shown(endToEndId);
    return body ? { status: 200, body } : problem(404, 'PixNaoEncontrado');
  }

  private async list(query: URLSearchParams): Promise<Answer> {
    const [from, to] = [query.get('inicio') ?? '', query.get('fim') ?? ''];
    const [first, last] = [Date.parse(from), Date.parse(to)];
    if (!(last >= first) || last - first > this.listDays * 86_400_000) return problem(400, 'PixConsultaInvalida');
    const { ids } = await this.bank.listReceived({ from: isoTime(first), to: isoTime(last), page: 0 });
    const wanted = query.has('devolucaoPresente')
      ? ids.filter((id) => this.otherReturns.has(id) || this.requested.has(id))
      : ids;
    const [at, size] = [
      Number(query.get('paginacao.paginaAtual')),
      Math.min(this.pageSize, Number(query.get('paginacao.itensPorPagina'))),
    ];
    return {
      status: 200,
      body: {
        parametros: {
          inicio: from,
          fim: to,
          paginacao: {
            paginaAtual: at,
            itensPorPagina: size,
            quantidadeDePaginas: Math.ceil(wanted.length / size),
            quantidadeTotalDeItens: wanted.length,
          },
        },
        pix: await Promise.all(wanted.slice(at * size, (at + 1) * size).map((id) => this.shown(id))),
      },
    };
  }

  private async shown(endToEndId: string): Promise<object | undefined> {
    const pix = await this.bank.getReceived(endToEndId);
    if (!pix) return undefined;
    const { taxId, legalName: nome } = pix.payer;
    const isCpf = taxId?.length === 11;
    return {
      endToEndId,
      ...(pix.txid === null ? {} : { txid: pix.txid }),
      valor: pix.amount,
      chave: this.key,
      horario: pix.settledAt,
      ...(this.hidesPayers ? {} : { pagador: { [isCpf ? 'cpf' : 'cnpj']: taxId, nome } }),
      devolucoes: [
        ...(this.requested.get(endToEndId)?.values() ?? []),
        ...(this.otherReturns.get(endToEndId) ?? []).map(({ amount, at, natureza = 'MED_FRAUDE' }, index) => ({
          id: `other${index}`,
          rtrId: `D${index}`,
          valor: amount,
          ...(natureza === null ? {} : { natureza }),
          horario: { solicitacao: at, liquidacao: at },
          status: 'DEVOLVIDO',
        })),
      ],
    };
  }

  private returned(status: number, endToEndId: string, { returnId: id, amount, ...result }: RailReturn): Answer {
    const rtrId = result.bankReturnId ?? undefined;
    const horario = { solicitacao: isoTime(this.now()) };
    const body = { id, valor: amount, horario, status: RETURN_STATUSES[result.status], rtrId };
    this.requested.set(endToEndId, new Map(this.requested.get(endToEndId)).set(id, body));
    return { status, body };
  }
}
