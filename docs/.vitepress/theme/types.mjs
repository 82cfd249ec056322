/** Shows the type of the name under the pointer, next to it. One element for the whole page, so that it costs nothing before. */

let tip;

/** Begins to listen; only in a browser. */
export function showTypes() {
  document.addEventListener('pointerover', ({ target }) => {
    const name = target instanceof Element ? target.closest('[data-type]') : undefined;
    if (name) show(name);
    else hide();
  });
  for (const event of ['scroll', 'keydown']) document.addEventListener(event, hide, { capture: true, passive: true });
}

function show(name) {
  tip ??= document.body.appendChild(Object.assign(document.createElement('div'), { className: 'type-tip' }));
  // As markdown/types.mjs writes it.
  tip.textContent = name.dataset.type.replaceAll('‹', '<').replaceAll('›', '>');
  tip.hidden = false;
  const { left, top, bottom } = name.getBoundingClientRect();
  tip.style.left = `${Math.max(8, Math.min(left, innerWidth - tip.offsetWidth - 8))}px`;
  const above = top - tip.offsetHeight - 6;
  tip.style.top = `${above > 70 ? above : bottom + 6}px`;
}

function hide() {
  if (tip) tip.hidden = true;
}
