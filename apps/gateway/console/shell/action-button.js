import { el } from './dom.js';
import { tell } from './live.js';

/**
 * A button for an action, or, with a reason `why` the user may not take it, a disabled one that says the reason when it
 * is pressed. It is not `disabled`, which would remove the focus and hide the reason from users who do not see the grey
 * colour.
 * @param {string} label @param {string} tone @param {() => void} run @param {string} [why]
 */
export const actionButton = (label, tone, run, why = '') =>
  el(
    'button',
    {
      type: 'button',
      class: `button ${tone}`,
      'aria-disabled': why !== '' ? 'true' : null,
      title: why || null,
      'aria-description': why || null,
      onclick: why === '' ? run : () => tell(why),
    },
    label,
  );
