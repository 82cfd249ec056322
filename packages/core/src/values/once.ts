/** A function that does its work once. */

/** Makes a function whose second call does nothing: for what is given back, which must not be given back twice. */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
