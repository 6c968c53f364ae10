import { createHash, createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { secp256k1 } from '@noble/curves/secp256k1';

type Parameters = Readonly<Record<string, string | number | undefined>>;
interface HeldKey {
  readonly id: string;
  readonly secret: Uint8Array;
  readonly spki: Buffer;
  readonly spec: string;
  isDeleted: boolean;
}

/** An error as KMS returns it: HTTP 400 (or 500) and the exception in `__type`. */
class KmsFault extends Error {
  constructor(
    readonly type: string,
    readonly status = 400,
  ) {
    super(type);
  }
}

const REGION = 'sa-east-1';
export const KMS_CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example-secret' } as const;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/**
 * A double of AWS KMS for tests: the JSON 1.1 protocol, signed requests (SigV4), aliases, and ECDSA over secp256k1 in
 * DER. Every second signature has `s` in the upper half, which KMS does at random. It simulates faults on request.
 */
export class KmsDouble {
  readonly calls: string[] = [];
  private readonly keys = new Map<string, HeldKey>();
  private readonly aliases = new Map<string, string>();
  private readonly faults: (KmsFault | 'silence' | 'foreign-signature')[] = [];
  private readonly denied = new Set<string>();
  private signatures = 0;
  private readonly server = createServer((request, response) => void this.serve(request, response));

  static async start(): Promise<KmsDouble> {
    const double = new KmsDouble();
    await new Promise<void>((resolve) => double.server.listen(0, '127.0.0.1', resolve));
    return double;
  }

  /** Client options to reach the double. */
  get client() {
    const { port } = this.server.address() as AddressInfo;
    return { endpoint: `http://127.0.0.1:${port}`, region: REGION, credentials: KMS_CREDENTIALS };
  }

  /** Each of the next calls gets one of these faults: an exception, no answer, or the signature of another key. */
  failNext(...types: (string | 'silence' | 'foreign-signature')[]): void {
    const faults = types.map((type) =>
      type === 'silence' || type === 'foreign-signature'
        ? type
        : new KmsFault(type, /Internal|Timeout/.test(type) ? 500 : 400),
    );
    this.faults.push(...(faults as (KmsFault | 'silence' | 'foreign-signature')[]));
  }

  /** From now on KMS refuses every call of this operation with AccessDeniedException. */
  deny(operation: string): void {
    this.denied.add(operation);
  }

  /** Puts a key under an alias, as an operator does. */
  addKey(alias: string, spec = 'ECC_SECG_P256K1'): void {
    this.aliases.set(alias, this.newKey(spec).id);
  }

  get liveKeys(): number {
    return [...this.keys.values()].filter(({ isDeleted }) => !isDeleted).length;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    this.calls.push(operation);
    const fault = this.faults.shift();
    if (fault === 'silence') return;
    try {
      if (fault instanceof KmsFault) throw fault;
      if (this.denied.has(operation)) throw new KmsFault('AccessDeniedException');
      assertSigned(request, body);
      reply(response, 200, this.answer(operation, JSON.parse(body) as Parameters, fault === 'foreign-signature'));
    } catch (error) {
      const { type, status } = error instanceof KmsFault ? error : new KmsFault('KMSInternalException', 500);
      reply(response, status, { __type: type, message: `${type} of the double` });
    }
  }

  private answer(operation: string, parameters: Parameters, isForeign: boolean): object {
    switch (operation) {
      case 'CreateKey':
        return { KeyMetadata: { KeyId: this.newKey(String(parameters['KeySpec'])).id } };
      case 'CreateAlias':
        return this.createAlias(String(parameters['AliasName']), String(parameters['TargetKeyId']));
      case 'ScheduleKeyDeletion':
        this.keyOf(parameters).isDeleted = true;
        return { KeyState: 'PendingDeletion' };
      case 'GetPublicKey': {
        const { id, spki, spec } = this.keyOf(parameters);
        return { KeyId: id, PublicKey: spki.toString('base64'), KeySpec: spec, KeyUsage: 'SIGN_VERIFY' };
      }
      case 'Sign':
        return this.sign(parameters, isForeign);
      default:
        throw new KmsFault('UnknownOperationException');
    }
  }

  private createAlias(alias: string, keyId: string): object {
    if (!/^alias\/[\w/-]+$/.test(alias)) throw new KmsFault('InvalidAliasNameException');
    if (this.aliases.has(alias)) throw new KmsFault('AlreadyExistsException');
    this.aliases.set(alias, keyId);
    return {};
  }

  private sign(parameters: Parameters, isForeign: boolean): object {
    const { id, secret } = isForeign ? this.newKey('ECC_SECG_P256K1') : this.keyOf(parameters);
    const digest = Buffer.from(String(parameters['Message']), 'base64');
    const isWrong = parameters['MessageType'] !== 'DIGEST' || parameters['SigningAlgorithm'] !== 'ECDSA_SHA_256';
    if (isWrong || digest.length !== 32) throw new KmsFault('ValidationException');
    const low = secp256k1.sign(digest, secret, { lowS: true });
    this.signatures += 1;
    const high = new secp256k1.Signature(low.r, secp256k1.CURVE.n - low.s);
    const der = (this.signatures % 2 === 0 ? low : high).toDERRawBytes();
    return { KeyId: id, Signature: Buffer.from(der).toString('base64'), SigningAlgorithm: 'ECDSA_SHA_256' };
  }

  private keyOf({ KeyId: name }: Parameters): HeldKey {
    const key = this.keys.get(this.aliases.get(String(name)) ?? String(name));
    if (!key) throw new KmsFault('NotFoundException');
    if (key.isDeleted) throw new KmsFault('KMSInvalidStateException');
    return key;
  }

  private newKey(spec: string): HeldKey {
    const namedCurve = spec === 'ECC_SECG_P256K1' ? 'secp256k1' : 'P-256';
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve });
    const secret = Buffer.from(privateKey.export({ format: 'jwk' }).d ?? '', 'base64url');
    const key = {
      id: randomUUID(),
      secret,
      spki: publicKey.export({ format: 'der', type: 'spki' }),
      spec,
      isDeleted: false,
    };
    this.keys.set(key.id, key);
    return key;
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/** Computes the signature of the request (AWS Signature Version 4) and compares it. */
function assertSigned({ headers, url = '/' }: IncomingMessage, body: string): void {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, accessKeyId, day, region, names, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (accessKeyId !== KMS_CREDENTIALS.accessKeyId || !day || !region || !names)
    throw new KmsFault('IncompleteSignatureException');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`);
  const canonical = ['POST', url, '', ...signed, '', names, sha256(body)].join('\n');
  const scope = `${day}/${region}/kms/aws4_request`;
  const key = ['kms', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${KMS_CREDENTIALS.secretAccessKey}`, day), region));
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  if (hmac(key, text).toString('hex') !== signature) throw new KmsFault('InvalidSignatureException');
}
