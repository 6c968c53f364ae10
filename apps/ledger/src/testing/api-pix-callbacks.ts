/** A response of a bank that offers API Pix. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export const problem = (status: number, kind: string): Answer => ({
  status,
  body: { type: `https://pix.bcb.gov.br/api/v2/error/${kind}`, title: kind, status, detail: kind },
});

/** The URLs for callbacks that a bank knows. It does not call them: tests do. */
export class RegisteredCallbacks {
  private readonly urls = new Map<string, string>();

  urlOf(key: string): string | undefined {
    return this.urls.get(key);
  }

  /** As when the bank gives up a URL that failed too often. */
  forget(): void {
    this.urls.clear();
  }

  /** `PUT /webhook/{chave}` with a body, otherwise `GET`. */
  answer(key: string, body: unknown): Answer {
    if (body !== undefined) this.urls.set(key, (body as { webhookUrl: string }).webhookUrl);
    const webhookUrl = this.urls.get(key);
    return webhookUrl === undefined
      ? problem(404, 'WebhookNaoEncontrado')
      : { status: 200, body: { webhookUrl, chave: key, criacao: '2026-11-20T12:00:00Z' } };
  }
}
