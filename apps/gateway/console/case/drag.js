/** Lets the user drag content that is larger than its stage with the mouse. @param {HTMLElement} stage */
export function drag(stage) {
  /** @type {{ x: number, y: number } | undefined} */
  let from;
  stage.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'mouse' || event.button !== 0) return;
    from = { x: event.clientX + stage.scrollLeft, y: event.clientY + stage.scrollTop };
    stage.setPointerCapture(event.pointerId);
  });
  stage.addEventListener('pointermove', (event) => {
    if (!from) return;
    stage.scrollLeft = from.x - event.clientX;
    stage.scrollTop = from.y - event.clientY;
  });
  for (const end of ['pointerup', 'pointercancel'])
    stage.addEventListener(end, () => {
      from = undefined;
    });
}
