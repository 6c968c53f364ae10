import type { ErasureOutcome, PersonEvent, PersonMention, ScreeningFinding, Timestamp } from '@ponte/contracts';
import { FINDING_EVENTS, PersonalDataViewed, PersonErased, PersonMentioned, PersonRestricted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { PersistentMap, canonicalJson, refuse } from '@ponte/kernel';
import type { FindingCommand } from '../ongoing-screening/finding.domain';
import { decideFinding, evolveFindings } from '../ongoing-screening/finding.domain';
import { refusePersonErased } from './seal-person';

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
  /** By the mention's canonical JSON. Of a person whom many pay, such as a shop, there are very many. */
  readonly mentions: PersistentMap<NotedMention>;
  readonly views: readonly PersonalDataViewed['data'][];
  /** The findings of ongoing screening, in accounts under any parent. */
  readonly findings: readonly ScreeningFinding[];
}

export type PersonCommand =
  | {
      readonly kind: 'mention';
      readonly subjectId: string;
      readonly mention: PersonMention;
      /** Whether the record is not written yet. It may not be written any more after the person was erased. */
      readonly isComing?: boolean;
      readonly at: Timestamp;
    }
  | { readonly kind: 'view'; readonly view: PersonalDataViewed['data'] }
  | {
      readonly kind: 'erase';
      readonly subjectId: string;
      readonly requestedBy: string;
      /** The end of the longest retention period; null while a record is still in use. */
      readonly retainedUntil: Timestamp | null;
      /** How many records were looked at for `retainedUntil`. */
      readonly mentions: number;
      /** The outcome that the staff member was shown. */
      readonly expected: ErasureOutcome;
      readonly at: Timestamp;
    }
  | FindingCommand;

/** The records that mention a person, the views and the erasure of the person's data, and findings about the person. */
export const person: Decider<PersonCommand, Person, PersonEvent> = {
  category: 'person',
  initial: { status: 'held', isKeyDestroyed: false, mentions: PersistentMap.empty(), views: [], findings: [] },
  events: [PersonMentioned, PersonalDataViewed, PersonRestricted, PersonErased, ...FINDING_EVENTS],
  decide(command, state) {
    switch (command.kind) {
      case 'mention': {
        const { subjectId, mention, isComing = false, at } = command;
        if (isComing && state.isKeyDestroyed) return refusePersonErased();
        if (isMentioned(state, mention)) return [];
        return [new PersonMentioned({ subjectId, mention, mentionedAt: at })];
      }
      case 'view':
        return [new PersonalDataViewed(command.view)];
      case 'erase': {
        const { subjectId, requestedBy, retainedUntil, mentions, expected, at } = command;
        if (state.status === 'erased') return [];
        // A record that was named meanwhile may have to be kept.
        if (state.mentions.size !== mentions)
          refuse('erasure-not-confirmed', 'a new record names the person: prepare the erasure again', 'token');
        const outcome = retainedUntil !== null && at >= retainedUntil ? 'erased' : 'restricted';
        if (outcome !== expected)
          refuse('erasure-not-confirmed', `the data would be ${outcome} now: prepare the erasure again`, 'token');
        if (outcome === 'erased') return [new PersonErased({ subjectId, requestedBy, erasedAt: at })];
        return state.status === 'restricted'
          ? []
          : [new PersonRestricted({ subjectId, requestedBy, retainedUntil, restrictedAt: at })];
      }
      case 'raise-findings':
        // Nothing can be sealed for an erased person.
        return state.isKeyDestroyed ? [] : decideFinding(command, state.findings);
      default:
        return decideFinding(command, state.findings);
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
          mentions: PersistentMap.of(state.mentions.all().map(([key, one]) => [key, { ...one, isErased: true }])),
        };
      default:
        return { ...state, findings: evolveFindings(state.findings, event) };
    }
  },
};

/** Whether the record is known to mention the person. */
export const isMentioned = ({ mentions }: Pick<Person, 'mentions'>, mention: PersonMention): boolean =>
  mentions.has(canonicalJson(mention));

export const mentionsOf = ({ mentions }: Pick<Person, 'mentions'>): NotedMention[] =>
  mentions.all().map(([, one]) => one);

/** The subjects whose keys the recorded erasures destroy; none before the first one. */
export const erasedSubjects = (subjectId: string, person: Person): string[] =>
  person.isKeyDestroyed
    ? [...new Set([subjectId, ...erasedMentions(person).map((one) => subjectOf(subjectId, one))])]
    : [];

const erasedMentions = (person: Person): NotedMention[] => mentionsOf(person).filter(({ isErased }) => isErased);

/** A late mention of data under a destroyed key changes nothing. Any other data is held until the next erasure. */
function mentioned(state: Person, { subjectId, mention, mentionedAt: at }: PersonMentioned['data']): Person {
  const isErased = erasedSubjects(subjectId, state).includes(subjectOf(subjectId, { mention }));
  const status = state.status === 'erased' && !isErased ? 'held' : state.status;
  return { ...state, status, mentions: state.mentions.with(canonicalJson(mention), { mention, at, isErased }) };
}

const subjectOf = (subjectId: string, { mention }: Pick<NotedMention, 'mention'>): string =>
  'sealedUnder' in mention ? mention.sealedUnder : subjectId;
