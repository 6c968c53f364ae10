import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HeldKey } from './held-key';
import { decrypted, ellipticKey, encrypted, keyIdOf, symmetricKey } from './held-key';
import { assertSigned, KMS_CREDENTIALS, KmsFault } from './request-signature';

type Parameters = Readonly<Record<string, unknown>>;
const REGION = 'sa-east-1';
/**
 * A double of AWS KMS for tests: the JSON 1.1 protocol, signed requests (SigV4), aliases, symmetric encryption with a
 * context, and ECDSA over secp256k1 in DER. Every second signature has `s` in the upper half, which KMS does at random.
 * It simulates faults on request.
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

  /** Creates a symmetric key, as an operator does, and returns its ARN. */
  addSymmetricKey(): string {
    const { id } = this.newKey('SYMMETRIC_DEFAULT');
    const arn = `arn:aws:kms:${REGION}:111122223333:key/${id}`;
    this.aliases.set(arn, id);
    return arn;
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
      reply(response, 200, await this.answer(operation, JSON.parse(body) as Parameters, fault === 'foreign-signature'));
    } catch (error) {
      const { type, status } = error instanceof KmsFault ? error : new KmsFault('KMSInternalException', 500);
      reply(response, status, { __type: type, message: `${type} of the double` });
    }
  }

  private async answer(operation: string, parameters: Parameters, isForeign: boolean): Promise<object> {
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
      case 'Encrypt':
        return this.encrypt(parameters);
      case 'Decrypt':
        return this.decrypt(parameters);
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

  private encrypt(parameters: Parameters): object {
    const key = this.keyOf(parameters);
    const text = Buffer.from(String(parameters['Plaintext']), 'base64');
    return { KeyId: key.id, CiphertextBlob: encrypted(key, text, contextOf(parameters)).toString('base64') };
  }

  private decrypt(parameters: Parameters): object {
    const blob = Buffer.from(String(parameters['CiphertextBlob']), 'base64');
    const used = this.keys.get(keyIdOf(blob));
    if (!used) throw new KmsFault('InvalidCiphertextException');
    const key = this.keyOf(parameters);
    if (key !== used) throw new KmsFault('IncorrectKeyException');
    const text = decrypted(key, blob, contextOf(parameters));
    if (!text) throw new KmsFault('InvalidCiphertextException');
    return { KeyId: key.id, Plaintext: text.toString('base64') };
  }

  private async sign(parameters: Parameters, isForeign: boolean): Promise<object> {
    // Loaded on first use, because most suites need no signatures.
    const { secp256k1 } = await import('@noble/curves/secp256k1');
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
    const key = spec === 'SYMMETRIC_DEFAULT' ? symmetricKey() : ellipticKey(spec);
    this.keys.set(key.id, key);
    return key;
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
}

/** The context that has to be the same for decryption. */
const contextOf = (parameters: Parameters): Buffer =>
  Buffer.from(JSON.stringify(parameters['EncryptionContext'] ?? {}));
