import type { ErasureOutcome, PersonEvent, PersonMention, Timestamp } from '@ponte/contracts';
import { PersonalDataViewed, PersonErased, PersonMentioned, PersonRestricted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { canonicalJson, refuse } from '@ponte/kernel';

export interface NotedMention {
  readonly mention: PersonMention;
  readonly at: Timestamp;
  /** Whether an erasure covers the data. */
  readonly isErased: boolean;
}

export interface Person {
  /** `erased` until data that a later record holds is mentioned: that data is held, and can be erased in turn. */
  readonly status: 'held' | 'restricted' | 'erased';
  /** Whether the person's own key is destroyed, which is final. */
  readonly isKeyDestroyed: boolean;
  readonly mentions: readonly NotedMention[];
  readonly views: readonly PersonalDataViewed['data'][];
}

export type PersonCommand =
  | { readonly kind: 'mention'; readonly subjectId: string; readonly mention: PersonMention; readonly at: Timestamp }
  | { readonly kind: 'view'; readonly view: PersonalDataViewed['data'] }
  | {
      readonly kind: 'erase';
      readonly subjectId: string;
      readonly requestedBy: string;
      /** The end of the longest retention period; null while a record is still in use. */
      readonly retainedUntil: Timestamp | null;
      /** The outcome that the staff member was shown. */
      readonly expected: ErasureOutcome;
      readonly at: Timestamp;
    };

/** The records that mention a person, the views of the person's data, and whether it was erased. */
export const person: Decider<PersonCommand, Person, PersonEvent> = {
  category: 'person',
  initial: { status: 'held', isKeyDestroyed: false, mentions: [], views: [] },
  events: [PersonMentioned, PersonalDataViewed, PersonRestricted, PersonErased],
  decide(command, state) {
    switch (command.kind) {
      case 'mention': {
        const { subjectId, mention, at } = command;
        const known = state.mentions.some((one) => canonicalJson(one.mention) === canonicalJson(mention));
        return known ? [] : [new PersonMentioned({ subjectId, mention, mentionedAt: at })];
      }
      case 'view':
        return [new PersonalDataViewed(command.view)];
      case 'erase': {
        const { subjectId, requestedBy, retainedUntil, expected, at } = command;
        if (state.status === 'erased') return [];
        const outcome = retainedUntil !== null && at >= retainedUntil ? 'erased' : 'restricted';
        if (outcome !== expected)
          refuse('erasure-not-confirmed', `the data would be ${outcome} now: prepare the erasure again`, 'token');
        if (outcome === 'erased') return [new PersonErased({ subjectId, requestedBy, erasedAt: at })];
        return state.status === 'restricted'
          ? []
          : [new PersonRestricted({ subjectId, requestedBy, retainedUntil, restrictedAt: at })];
      }
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'PersonMentioned':
        return mentioned(state, event.data);
      case 'PersonalDataViewed':
        return { ...state, views: [...state.views, event.data] };
      case 'PersonRestricted':
        return { ...state, status: 'restricted' };
      case 'PersonErased':
        return {
          ...state,
          status: 'erased',
          isKeyDestroyed: true,
          mentions: state.mentions.map((one) => ({ ...one, isErased: true })),
        };
    }
  },
};

/** The subjects whose keys the recorded erasures destroy; none before the first one. */
export const erasedSubjects = (subjectId: string, { isKeyDestroyed, mentions }: Person): string[] =>
  isKeyDestroyed
    ? [...new Set([subjectId, ...mentions.filter(({ isErased }) => isErased).map((one) => subjectOf(subjectId, one))])]
    : [];

/** A late mention of data under a destroyed key changes nothing. Any other data is held until the next erasure. */
function mentioned(state: Person, { subjectId, mention, mentionedAt: at }: PersonMentioned['data']): Person {
  const isErased = erasedSubjects(subjectId, state).includes(subjectOf(subjectId, { mention }));
  const status = state.status === 'erased' && !isErased ? 'held' : state.status;
  return { ...state, status, mentions: [...state.mentions, { mention, at, isErased }] };
}

const subjectOf = (subjectId: string, { mention }: Pick<NotedMention, 'mention'>): string =>
  'sealedUnder' in mention ? mention.sealedUnder : subjectId;
