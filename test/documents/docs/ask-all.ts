/** Questions, typed into the search of the site. */
import type { Page } from 'playwright-core';

/** A question, and the page that answers. */
export interface Question {
  readonly asked: string;
  readonly page: string;
}

/** Each question with the paths of the first three answers of the search. */
export async function askAll(
  page: Page,
  url: string,
  questions: readonly Question[],
): Promise<(Question & { answers: string[] })[]> {
  await page.goto(url, { waitUntil: 'load' });
  await page.locator('.VPNavBarSearch button').first().click();
  const box = page.locator('.VPLocalSearchBox input');
  const found = page.locator('.VPLocalSearchBox .results .result');
  const answered: (Question & { answers: string[] })[] = [];
  for (const question of questions) {
    // What was found before goes first, or it would be taken for the answer.
    await box.fill('');
    await found.first().waitFor({ state: 'detached' });
    await box.fill(question.asked);
    await found.first().waitFor();
    const links = await found.evaluateAll((results) =>
      results.slice(0, 3).map((each) => each.getAttribute('href') ?? ''),
    );
    answered.push({ ...question, answers: links.map((link) => link.replace(/#.*$/, '')) });
  }
  return answered;
}
