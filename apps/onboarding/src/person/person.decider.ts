import type { PersonEvent, PersonMention, Timestamp } from '@ponte/contracts';
import { PersonalDataViewed, PersonErased, PersonMentioned, PersonRestricted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';

export interface Person {
  readonly status: 'held' | 'restricted' | 'erased';
  readonly mentions: readonly { readonly mention: PersonMention; readonly at: Timestamp }[];
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
      readonly at: Timestamp;
    };

/** The records that mention a person, the views of the person's data, and whether it was erased. */
export const person: Decider<PersonCommand, Person, PersonEvent> = {
  category: 'person',
  initial: { status: 'held', mentions: [], views: [] },
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
        const { subjectId, requestedBy, retainedUntil, at } = command;
        if (state.status === 'erased') return [];
        if (retainedUntil !== null && at >= retainedUntil)
          return [new PersonErased({ subjectId, requestedBy, erasedAt: at })];
        return state.status === 'restricted'
          ? []
          : [new PersonRestricted({ subjectId, requestedBy, retainedUntil, restrictedAt: at })];
      }
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'PersonMentioned':
        return { ...state, mentions: [...state.mentions, { mention: event.data.mention, at: event.data.mentionedAt }] };
      case 'PersonalDataViewed':
        return { ...state, views: [...state.views, event.data] };
      case 'PersonRestricted':
        return { ...state, status: 'restricted' };
      case 'PersonErased':
        return { ...state, status: 'erased' };
    }
  },
};
