/** A tab that a reader chooses is chosen on every page that has one of that name: npm or pnpm, class or function. */
const KEY = 'sigil-tabs';

/** The most names that are remembered. */
const MOST = 8;

/** Begins to listen for choices; only in a browser. */
export function rememberTabs() {
  document.addEventListener('click', ({ target, isTrusted }) => {
    const label = isTrusted && target instanceof Element ? target.closest('.vp-code-group .tabs label') : undefined;
    if (!label) return;
    const name = nameOf(label);
    write([name, ...read().filter((other) => other !== name)].slice(0, MOST));
    const before = label.getBoundingClientRect().top;
    chooseTabs();
    // Blocks above may be longer or shorter now.
    scrollBy(0, label.getBoundingClientRect().top - before);
  });
}

/** Shows the tab that was chosen last in each group of the page. */
export function chooseTabs() {
  const names = read();
  for (const group of document.querySelectorAll('.vp-code-group')) {
    const labels = [...group.querySelectorAll('.tabs label')];
    const name = names.find((each) => labels.some((label) => nameOf(label) === each));
    if (name === undefined) continue;
    const chosen = labels.findIndex((label) => nameOf(label) === name);
    labels[chosen].control.checked = true;
    for (const [index, block] of [...group.querySelector('.blocks').children].entries())
      block.classList.toggle('active', index === chosen);
  }
}

function nameOf(label) {
  return label.textContent.trim();
}

function read() {
  try {
    const names = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(names) ? names : [];
  } catch {
    // A browser without storage forgets the choice.
    return [];
  }
}

function write(names) {
  try {
    localStorage.setItem(KEY, JSON.stringify(names));
  } catch {
    // As above.
  }
}
