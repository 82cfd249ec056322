/** The name by which the traffic shows the page. */
export const PAGE_CLIENT = 'sigil dev page';
