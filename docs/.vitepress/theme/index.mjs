/** The default theme with system fonts, so that no page waits for a download. */
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import CopyPage from './CopyPage.vue';
import StartCommand from './StartCommand.vue';
import './code-colours.css';
import './style.css';
import './front.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) }),
  enhanceApp({ app }) {
    app.component('StartCommand', StartCommand);
  },
};
