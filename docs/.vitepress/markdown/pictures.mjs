/** A plugin of markdown-it: pictures that are wider than a phone can be scrolled, by touch or keys, and are not shrunk. */
export function scrolledPictures(md) {
  const draw = md.renderer.rules.image;
  md.renderer.rules.image = (...args) => `<span class="picture" tabindex="0">${draw(...args)}</span>`;
}
