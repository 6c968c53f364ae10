import type { Provider } from '@nestjs/common';
import {
  ConfirmSetAsideHandler,
  RejectSetAsideHandler,
  RequestSetAsideHandler,
  SettableAside,
} from './set-aside.command';
import { SetAsideMessages } from './set-aside.controller';
import { WhenSuspensePostedKeepItOut } from './when-suspense-posted-keep-it-out.policy';

/** The providers for setting tokens of closed accounts aside. */
export const SET_ASIDE_PROVIDERS: readonly Provider[] = [
  SettableAside,
  RequestSetAsideHandler,
  ConfirmSetAsideHandler,
  RejectSetAsideHandler,
];
export const SET_ASIDE_POLICIES = [WhenSuspensePostedKeepItOut] as const;
export const SET_ASIDE_CONTROLLERS = [SetAsideMessages] as const;
