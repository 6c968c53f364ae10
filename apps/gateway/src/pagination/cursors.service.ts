import { timingSafeEqual } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { PageCursor } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { ApiError } from '../errors/api-error';

/** The scope of a cursor: one list of one account with the same filters. */
export interface CursorScope {
  readonly operation: string;
  readonly accountId: string;
  readonly filters: Readonly<Record<string, unknown>>;
}

/** 128 bits of the keyed hash, in hexadecimal. */
const MAC_CHARACTERS = 32;

/** Opaque cursors, signed and bound to their list, so that they cannot be used for another account or filter. */
@Injectable()
export class Cursors {
  constructor(@Inject(PERSONAL_DATA) private readonly keyed: Pick<PersonalData, 'fingerprint'>) {}

  write({ createdAt, id }: PageCursor, scope: CursorScope): string {
    const key = Buffer.from(JSON.stringify([createdAt, id])).toString('base64url');
    return `${key}.${this.mac(key, scope)}`;
  }

  /** Throws 400 `invalid-cursor` for a cursor that was not written for this list. */
  read(cursor: string, scope: CursorScope): PageCursor {
    const [place = '', mac] = cursor.split('.');
    if (!sameText(mac ?? '', this.mac(place, scope))) throw invalid();
    const [createdAt, id] = JSON.parse(Buffer.from(place, 'base64url').toString('utf8')) as [string, string];
    return { createdAt, id };
  }

  private mac(place: string, scope: CursorScope): string {
    const { operation, accountId, filters } = scope;
    return this.keyed
      .fingerprint('cursor', canonicalJson([operation, accountId, filters, place]))
      .slice(0, MAC_CHARACTERS);
  }
}

/** Compares in constant time, so that a signature cannot be guessed character by character. */
const sameText = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
const invalid = () =>
  new ApiError('invalid-cursor', {
    violations: [
      { path: 'cursor', code: 'invalid-cursor', message: 'must be a cursor of this list with the same filters' },
    ],
  });
