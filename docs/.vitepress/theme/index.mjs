/** The default theme with the fonts of the reader's machine, so that no page waits for one. */
import DefaultTheme from 'vitepress/theme-without-fonts';
import './code-colours.css';
import './style.css';

export default DefaultTheme;
