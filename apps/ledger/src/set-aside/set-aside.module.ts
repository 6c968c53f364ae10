import type { Provider } from '@nestjs/common';
import {
  ConfirmSetAsideHandler,
  RejectSetAsideHandler,
  RequestSetAsideHandler,
  SettableAside,
} from './set-aside.command';
import { SetAsideMessages } from './set-aside.controller';
import { WhenTokensSetAsideKeepThemOut } from './when-tokens-set-aside-keep-them-out.policy';

/** The providers for setting tokens of closed accounts aside. */
export const SET_ASIDE_PROVIDERS: readonly Provider[] = [
  SettableAside,
  RequestSetAsideHandler,
  ConfirmSetAsideHandler,
  RejectSetAsideHandler,
];
export const SET_ASIDE_POLICIES = [WhenTokensSetAsideKeepThemOut] as const;
export const SET_ASIDE_CONTROLLERS = [SetAsideMessages] as const;
