/** The default theme with system fonts, so that no page waits for a download. */
import { onContentUpdated } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h, onMounted } from 'vue';
import CopyPage from './CopyPage.vue';
import StartCommand from './StartCommand.vue';
import { chooseTabs, rememberTabs } from './tabs.mjs';
import { showTypes } from './types.mjs';
import './code-colours.css';
import './style.css';
import './front.css';

export default {
  extends: DefaultTheme,
  Layout: {
    setup() {
      onMounted(() => {
        showTypes();
        rememberTabs();
        chooseTabs();
      });
      onContentUpdated(chooseTabs);
      return () => h(DefaultTheme.Layout, null, { 'doc-before': () => h(CopyPage) });
    },
  },
  enhanceApp({ app }) {
    app.component('StartCommand', StartCommand);
  },
};
