/** A plugin of markdown-it: a picture that is wider than a phone is scrolled, with a finger or the keys, rather than made too small to read. */
export function scrolledPictures(md) {
  const draw = md.renderer.rules.image;
  md.renderer.rules.image = (...args) => `<span class="picture" tabindex="0">${draw(...args)}</span>`;
}
