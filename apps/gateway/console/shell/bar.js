/* global ResizeObserver, document */
import { find } from './dom.js';

/**
 * Keeps the height of the bar, which depends on the width of the window and on the role, in the style variable `--bar`:
 * what sticks to the top of the window sticks below the bar.
 */
export function measureBar() {
  const bar = find('.bar');
  const measure = () => document.documentElement.style.setProperty('--bar', `${bar.offsetHeight}px`);
  new ResizeObserver(measure).observe(bar);
}
